package dev.blitz.io.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.signal.Signal;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands and children promise, however they are started. */
abstract class ProcessConformance extends ProcessWorld {
  private static final int MEGABYTES = 100;

  ProcessConformance(Spawning way, @Nullable String backend) {
    super(way, backend);
  }

  /** How many children are there at once. */
  int crowd() {
    return 1000;
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private Output run(Command command) throws Exception {
    return runtime.run(command.output());
  }

  private String textOf(Command command) throws Exception {
    return run(command).orThrow().text();
  }

  // --- What it is given ---

  /** A thread outside that waits for a pipe is told, however the pipe is waited for. */
  @Test
  void aRead_ofAThread_endsWithTheRuntime() throws Exception {
    try (Child child = runtime.run(command("sleep", "1000").stdout(Stdio.pipe()).start())) {
      var read = child.stdout().read(ByteBuffer.allocate(4));
      var woken = new java.util.concurrent.CountDownLatch(1);
      Context cx = Context.of(woken::countDown);
      assertThat(read.poll(cx)).isNull();
      var _ = runtime.close(Duration.ofMillis(10));
      woken.await();
      assertThatThrownBy(() -> read.poll(cx)).isInstanceOf(ClosedChannelException.class);
    }
  }

  @Test
  void anOutput_thatCannotBeTaken_leavesNoChild() {
    assertThatThrownBy(() -> runtime.run(command("sleep", "1000").output(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void output_hasBothStreams_andTheStatus() throws Exception {
    Output output = run(shell("echo out; echo err >&2; exit 3"));
    assertThat(output.text()).isEqualTo("out\n");
    assertThat(output.errorText()).isEqualTo("err\n");
    assertThat(output.status()).isEqualTo(ExitStatus.exited(3));
    assertThat(output.status().success()).isFalse();
    assertThat(output.status()).hasToString("exit code 3");
    assertThatThrownBy(output::orThrow)
        .isInstanceOf(IOException.class)
        .hasMessage("exit code 3: err");
  }

  @Test
  void arguments_arriveAsTheyAre() throws Exception {
    String odd = " a 'b' \"c\" $d * \n ü";
    assertThat(textOf(command("printf", "%s|", odd, "").arguments("x"))).isEqualTo(odd + "||x|");
    assertThatThrownBy(() -> Command.of("x\0y")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void environment_isOurs_plusMinus_orAnother() throws Exception {
    assertThat(textOf(shell("echo $PATH-$A").variable("A", "1")))
        .isEqualTo(System.getenv("PATH") + "-1\n");
    assertThat(textOf(shell("echo ${PATH-none}").variable("A", "1").withoutVariable("A")))
        .isEqualTo(System.getenv("PATH") + "\n");
    assertThat(textOf(command("env").environment(Map.of("A", "1")))).isEqualTo("A=1\n");
    assertThatThrownBy(() -> command("env").variable("A=B", "1"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void directory_isItsOwn() throws Exception {
    assertThat(textOf(command("pwd").directory(directory)).strip())
        .isEqualTo(directory.toRealPath().toString());
  }

  @Test
  void files_areReadWrittenAndAppended() throws Exception {
    Path in = Files.writeString(directory.resolve("in"), "from a file");
    Path out = directory.resolve("out");
    Command cat = command("cat").stdin(Stdio.file(in));
    assertThat(runtime.run(cat.stdout(Stdio.file(out)).status())).matches(ExitStatus::success);
    assertThat(Files.readString(out)).isEqualTo("from a file");
    assertThat(runtime.run(cat.stdout(Stdio.append(out)).status())).matches(ExitStatus::success);
    assertThat(Files.readString(out)).isEqualTo("from a filefrom a file");
    runtime.run(cat.stdout(Stdio.file(out)).status());
    assertThat(Files.readString(out)).as("emptied first").isEqualTo("from a file");
    assertThatThrownBy(() -> run(cat.stdin(Stdio.file(directory.resolve("none")))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none");
  }

  @Test
  void nothing_isAnEndOfInput_andErrorsMayGoWithTheOutput() throws Exception {
    assertThat(textOf(command("cat").stdin(Stdio.discard()))).isEmpty();
    assertThat(run(shell("echo a; echo b >&2").stdout(Stdio.discard())).errorText())
        .isEqualTo("b\n");
    assertThat(textOf(shell("echo a; echo b >&2").stderr(Stdio.toStdout()))).isEqualTo("a\nb\n");
  }

  @Test
  void child_isGivenNoOtherDescriptors() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/fd")), "a list of descriptors");
    try (var open = Files.newInputStream(Files.writeString(directory.resolve("x"), "x"))) {
      String looks =
          "i=0; while [ $i -lt 300 ]; do [ -e /proc/$$/fd/$i ] && echo $i; i=$((i+1)); done";
      assertThat(textOf(shell(looks + "; true")).lines()).containsExactly("0", "1", "2");
      assertThat(open.read()).isEqualTo('x');
    }
  }

  // --- Pipes ---

  @Test
  void pipes_carryBothWays() throws Exception {
    runtime.run(() -> {
      try (Child child = command("cat").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start().await()) {
        var answer = ByteBuffer.allocate(6);
        child.stdin().writeAll(bytes("hello\n")).await();
        child.stdin().flush().await();
        child.stdout().readFully(answer).await();
        assertThat(new String(answer.array(), StandardCharsets.UTF_8)).isEqualTo("hello\n");
        child.stdin().shutdown().await();
        assertThat(child.stdout().read(answer.clear()).await()).isEqualTo(-1);
        assertThat(child.exited().await().success()).isTrue();
        assertThat(child.exited().await()).as("again").isEqualTo(child.tryStatus().orElseThrow());
        assertThatThrownBy(child::stderr).hasMessageContaining("stderr of Child[");
      }
    });
  }

  @Test
  void read_thatIsDropped_losesNothing() throws Exception {
    runtime.run(() -> {
      try (Child child = command("cat").stdin(Stdio.pipe()).stdout(Stdio.pipe()).start().await()) {
        var target = ByteBuffer.allocate(100);
        for (int i = 0; i < 20; i++) {
          var read = child.stdout().read(target.clear());
          assertThat(read.poll(Context.of(() -> {}))).isNull();
          read.drop();
          child.stdin().writeAll(bytes("line " + i + "\n")).await();
          child.stdin().flush().await();
          target.clear().limit(("line " + i + "\n").length());
          child.stdout().readFully(target).await();
          assertThat(StandardCharsets.UTF_8.decode(target.flip()).toString())
              .isEqualTo("line " + i + "\n");
        }
      }
    });
  }

  @Test
  void write_toAPipeWhoseOtherEndIsGone_fails() throws Exception {
    runtime.run(() -> {
      try (Child child = shell("exec <&-; sleep 60").stdin(Stdio.pipe()).start().await()) {
        assertThatThrownBy(
                () -> {
                  while (true) { // what a pipe holds may be taken before it is closed
                    child.stdin().writeAll(ByteBuffer.allocate(100_000)).await();
                    child.stdin().flush().await();
                  }
                })
            .isInstanceOf(IOException.class)
            .hasMessageContaining("Broken pipe");
      }
    });
  }

  @Test
  void child_thatClosesItsOutputEarly_isWaitedFor() throws Exception {
    Output output = run(shell("echo early; exec >&- 2>&-; sleep 0.05; exit 5"));
    assertThat(output.text()).isEqualTo("early\n");
    assertThat(output.status()).isEqualTo(ExitStatus.exited(5));
  }

  @Test
  @OnceIsEnough
  void output_of100MegabytesOnBothStreamsAtOnce_isTaken() throws Exception {
    String script =
        "head -c %dm /dev/zero >&2 & head -c %dm /dev/zero; wait".formatted(MEGABYTES, MEGABYTES);
    Output output = runtime.run(shell(script).output(MEGABYTES << 20));
    assertThat(output.status().success()).isTrue();
    assertThat(output.stdout()).hasSize(MEGABYTES << 20);
    assertThat(output.stderr()).hasSize(MEGABYTES << 20);
  }

  @Test
  void output_beyondTheLimit_fails_andTheChildIsKilled() {
    assertThatThrownBy(() -> runtime.run(command("cat", "/dev/zero").output(1000)))
        .isInstanceOf(dev.blitz.io.bytes.TooLongException.class)
        .hasMessageContaining("more than the 1000 bytes");
    assertNoChildIsLeft();
  }

  @Test
  void pipelines_feedEachOther() throws Exception {
    Pipeline sorted =
        shell("echo b; echo a; echo b").pipe(command("sort")).pipe(command("uniq", "-c"));
    Output output = runtime.run(sorted.output());
    assertThat(output.text().lines().map(String::strip)).containsExactly("1 a", "2 b");
    assertThatThrownBy(() -> runtime.run(command("cat").pipe(command("no-such-program")).output()))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void lines_comeAsTheyAreWritten_andACloseKills() throws Exception {
    runtime.run(() -> {
      List<String> seen = new ArrayList<>();
      try (var lines = shell("printf 'one\\ntwo\\r\\n\\nlast'").lines()) {
        for (String line : lines) {
          seen.add(line);
        }
      }
      assertThat(seen).containsExactly("one", "two", "", "last");
      try (var lines = shell("while :; do echo again; done").pipe(command("cat")).lines()) {
        assertThat(lines.iterator().next()).isEqualTo("again");
      }
    });
    assertNoChildIsLeft();
  }

  /** What a program does after its last line is not cut off. */
  @Test
  void lines_end_whenTheProgramHas(@TempDir Path dir) throws Exception {
    Path done = dir.resolve("done");
    String late = "echo last; exec >&-; sleep 0.2; echo on >'" + done + "'";
    assertThat(runtime.run(shell(late).lines().toList())).containsExactly("last");
    assertThat(done).hasContent("on");
    Path before = dir.resolve("before");
    String first = "exec >&-; sleep 0.2; echo on >'" + before + "'";
    assertThat(runtime.run(shell(first).pipe(command("cat")).lines().toList())).isEmpty();
    assertThat(before).as("that of one before it").hasContent("on");
    assertNoChildIsLeft();
  }

  // --- Ends ---

  @Test
  void end_byASignal_isReportedAsSuch() throws Exception {
    for (Signal signal : List.of(Signal.TERM, Signal.KILL, Signal.USR1)) {
      runtime.run(() -> {
        try (Child child = command("sleep", "60").start().await()) {
          assertThat(child.signal(signal)).isTrue();
          ExitStatus status = child.exited().await();
          assertThat(status.bySignal()).isTrue();
          assertThat(status.signal()).contains(signal);
          assertThat(status).hasToString("ended by SIG" + signal);
          assertThat(child.kill()).as("it has ended").isFalse();
        }
      });
    }
  }

  @Test
  void signals_areAsProgramsExpectThem() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/status")), "a list of signals");
    String status = textOf(command("grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"));
    long ofTheLibrary = 3L << 31; // 32 and 33 are the C library's own, which it may ignore
    long allowed = ofTheLibrary | ignoredHereAndThere();
    assertThat(status.lines())
        .hasSize(2)
        .allMatch(line -> (Long.parseUnsignedLong(line.substring(8), 16) & ~allowed) == 0);
  }

  /** What this process was told to ignore, under nohup say, and its children ignore as well. */
  long ignoredHereAndThere() throws Exception {
    return 0;
  }

  @Test
  void child_thatIgnoresTerm_isKilled() throws Exception {
    runtime.run(() -> {
      try (Child child =
          shell("trap '' TERM; echo ready; while :; do sleep 60; done")
              .stdout(Stdio.pipe())
              .start()
              .await()) {
        child.stdout().read(ByteBuffer.allocate(10)).await();
        assertThat(child.terminate()).isTrue();
        assertThatThrownBy(() -> child.exited().timeout(Duration.ofMillis(50)).await())
            .hasMessageContaining("passed");
        assertThat(child.kill()).isTrue();
        assertThat(child.exited().await().signal()).contains(Signal.KILL);
        child.signalGroup(Signal.KILL);
      }
    });
  }

  @Test
  void close_killsTheWholeGroup_andAgainDoesNothing() throws Exception {
    runtime.run(() -> {
      Child child = shell("sleep 60 & echo $!; wait").stdout(Stdio.pipe()).start().await();
      var line = ByteBuffer.allocate(20);
      int n = child.stdout().read(line).await();
      long grandchild =
          Long.parseLong(new String(line.array(), 0, n, StandardCharsets.UTF_8).strip());
      assertThat(ProcessHandle.of(grandchild)).isPresent();
      child.close();
      child.close();
      assertThat(child.exited().await().signal()).contains(Signal.KILL);
      Await.until(
          () -> ProcessHandle.of(grandchild).map(h -> !h.isAlive()).orElse(true),
          "what it has started is gone");
    });
  }

  @Test
  void drop_ofARun_killsTheChild() throws Exception {
    JoinHandle<?> run = runtime.spawn(command("sleep", "60").status());
    Await.until(() -> ProcessHandle.current().children().findAny().isPresent(), "it runs");
    run.cancel();
    assertThatThrownBy(run::await).isInstanceOf(CancelledException.class);
    assertNoChildIsLeft();
  }

  @Test
  void drop_ofAStart_leavesNoChild() throws Exception {
    for (int i = 0; i < 20; i++) {
      var start = command("sleep", "60").start();
      runtime.run(
          dev.blitz.io.future.Futures.lazy(() -> {
            Object child = start.poll(Context.of(() -> {}));
            start.drop();
            return child == null;
          }));
    }
    assertNoChildIsLeft();
  }

  @Test
  void close_ofTheRuntime_leavesNoZombie() throws Exception {
    BlitzRuntime other = anotherRuntime();
    Child child = other.run(command("sleep", "0.2").start());
    other.close();
    child.detach();
    assertNoChildIsLeft();
  }

  /** All of them are there at the same time, since each waits for its input. */
  @Test
  @OnceIsEnough
  void crowd_runsInParallel() throws Exception {
    int count = crowd();
    runtime.run(() -> {
      List<JoinHandle<Child>> starts = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Command command = shell("read line; echo $line; exit " + i % 7);
        starts.add(Task.spawn(command.stdin(Stdio.pipe()).capturing().start()));
      }
      List<Child> all = new ArrayList<>();
      List<JoinHandle<Output>> outputs = new ArrayList<>();
      for (JoinHandle<Child> start : starts) {
        Child child = start.await();
        all.add(child);
        outputs.add(Task.spawn(child.output()));
      }
      assertThat(all.stream().map(child -> ProcessHandle.of(child.pid()).orElseThrow()))
          .hasSize(count)
          .allMatch(ProcessHandle::isAlive);
      for (int i = 0; i < count; i++) {
        all.get(i).stdin().writeAll(bytes(i + "\n")).await();
      }
      for (int i = 0; i < count; i++) {
        Output output = outputs.get(i).await();
        assertThat(output.text()).isEqualTo(i + "\n");
        assertThat(output.status().code()).isEqualTo(i % 7);
        all.get(i).close();
      }
    });
  }

  // --- Bad input ---

  @Test
  void start_ofWhatDoesNotExist_saysSo() throws Exception {
    assertThatThrownBy(() -> run(command("no-such-program")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("no-such-program: no such program in PATH");
    assertThatThrownBy(() -> run(command("/no/such/program")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("/no/such/program: no such program");
    assertThatThrownBy(() -> run(command(""))).isInstanceOf(NoSuchFileException.class);
    Path text = Files.writeString(directory.resolve("text"), "no program");
    assertThatThrownBy(() -> run(command(text.toString())))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("not a program that may be executed");
    assertThatThrownBy(() -> run(command("pwd").directory(directory.resolve("none"))))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("no such directory to run 'pwd' in");
    assertThatThrownBy(() -> run(command("pwd").directory(text)))
        .isInstanceOf(NotDirectoryException.class);
  }

  @Test
  void start_outsideARuntime_isRefused() {
    assertThatThrownBy(() -> command("true").start().await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a child process needs a runtime");
  }

  @Test
  void start_onAClosedRuntime_isRejected() throws Exception {
    BlitzRuntime other = anotherRuntime();
    other.close();
    assertThatThrownBy(() -> other.run(command("true").status()))
        .isInstanceOf(java.util.concurrent.RejectedExecutionException.class);
  }
}
