package dev.blitz.io.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What holds besides where children are started by posix_spawn, and awaited by the driver. */
abstract class NativeProcessConformance extends ProcessConformance {
  NativeProcessConformance(String backend) {
    super(new NativeSpawning(), backend);
  }

  @Test
  void code_above128_isNoSignal() throws Exception {
    ExitStatus status = runtime.run(shell("exit 143").status());
    assertThat(status.bySignal()).isFalse();
    assertThat(status.code()).isEqualTo(143);
  }

  @Test
  void children_takeNoThreads() throws Exception {
    runtime.run(() -> {
      runtime.spawn(command("true").status()).await(); // threads that start them are there now
      int before = Thread.getAllStackTraces().size();
      List<Child> children = new ArrayList<>();
      List<JoinHandle<?>> waits = new ArrayList<>();
      try {
        for (int i = 0; i < 100; i++) {
          Child child = command("sleep", "60").stdout(Stdio.pipe()).start().await();
          children.add(child);
          waits.add(Task.spawn(Futures.outcome(child.output())));
        }
        // Lanes, carriers and cleaners come and go by themselves, each of them once.
        assertThat(Thread.getAllStackTraces().size() - before)
            .as("threads for %d children", children.size())
            .isLessThan(children.size() / 5);
      } finally {
        children.forEach(Child::close);
      }
      for (Child child : children) {
        assertThat(child.exited().await().bySignal()).isTrue();
      }
      for (JoinHandle<?> wait : waits) {
        wait.await(); // those who read a pipe that is closed are told
      }
    });
  }

  @Test
  void reaper_endsWithItsLastChild() throws Exception {
    var other = anotherRuntime();
    List<Child> children = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      children.add(other.run(command("sleep", "60").start()));
    }
    other.close();
    assertThat(Reaper.OF_THE_PROCESS.waitedFor()).isEqualTo(5);
    children.forEach(Child::close);
    assertNoChildIsLeft();
    Await.until(() -> Reaper.OF_THE_PROCESS.waitedFor() == 0, "the reaper has none");
  }
}
