package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.KernelCall;
import dev.blitz.io.internal.driver.KernelCalls;
import dev.blitz.io.internal.driver.KernelRequest;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.Pipe;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that need no socket, as files make them. */
@Strict
@OnceIsEnough
class KernelCallTest {
  private static final int OP_OPEN = 18;
  private static final int OP_MKDIR = 37;
  private static final int AT_FDCWD = -100;

  private UringDriver driver;
  private DrivenWorkers workers;
  private KernelCalls calls;

  @BeforeEach
  void open() {
    var probe = new UringBackend().probe();
    assumeTrue(probe.available(), probe.detail());
    driver = new UringDriver(new Seats(2, TimeSource.system()), probe);
    workers = new DrivenWorkers(driver, 2);
    workers.drive(0);
    workers.drive(1);
    calls = driver.kernelCalls();
  }

  @AfterEach
  void close() {
    if (workers != null) {
      workers.close();
    }
  }

  private static boolean isOpen(int number) {
    return Files.exists(Path.of("/proc/self/fd/" + number), LinkOption.NOFOLLOW_LINKS);
  }

  /** A call that remembers who got its answer. */
  private static final class Asked extends KernelCall {
    final AtomicInteger abandoned = new AtomicInteger();
    volatile int answer;

    Asked(KernelRequest request, Descriptor descriptor, Object memory) {
      super(request, descriptor, memory);
    }

    @Override
    protected void abandoned(int result) {
      answer = result;
      abandoned.incrementAndGet();
    }
  }

  private static Asked nothing() {
    return new Asked(new KernelRequest(SubmissionAbi.OP_NOP, -1, 0, 0, 0, 0), null, null);
  }

  private static Asked reading(Descriptor from, MemorySegment into) {
    var request =
        new KernelRequest(
            SubmissionAbi.OP_READ, from.number(), -1, into.address(), (int) into.byteSize(), 0);
    return new Asked(request, from, into);
  }

  private int answerOf(KernelCall call) throws Exception {
    var wakes = new Semaphore(0);
    for (; ; ) {
      int result = call.poll(wakes::release);
      if (result != KernelCall.PENDING) {
        return result;
      }
      wakes.acquire();
    }
  }

  @Test
  void aCallThatGoesAtOnce_isMadeBeforeItsWorkerComesBack(@TempDir Path folder) throws Exception {
    Path made = folder.resolve("made");
    try (var arena = Arena.ofShared()) {
      var path = arena.allocateFrom(made.toString());
      var request = new KernelRequest(OP_MKDIR, AT_FDCWD, 0, path.address(), 0x1ff, 0);
      var call =
          new KernelCall(request, null, path) {
            @Override
            public boolean goesAtOnce() {
              return true;
            }
          };
      var job =
          new FutureTask<>(() -> {
            calls.submit(call);
            Await.until(() -> Files.isDirectory(made), "the directory");
            return call;
          });
      workers.run(0, job);
      assertThat(answerOf(job.get())).isZero();
    }
  }

  @Test
  void aCallWithoutADescriptor_isAnswered_fromAnyThread(@TempDir Path folder) throws Exception {
    try (var arena = Arena.ofShared()) {
      var path = arena.allocateFrom(folder.resolve("made").toString());
      var request = new KernelRequest(OP_MKDIR, AT_FDCWD, 0, path.address(), 0x1ff, 0);
      for (int expected : new int[] {0, -Errno.EEXIST}) {
        var call = new Asked(request, null, path);
        calls.submit(call);
        assertThat(answerOf(call)).isEqualTo(expected);
        assertThat(answerOf(call)).as("again").isEqualTo(expected);
        call.drop();
        assertThat(call.abandoned).hasValue(0);
      }
      assertThat(folder.resolve("made")).isDirectory();
    }
    var inside = new Semaphore(0);
    var call = nothing();
    workers.run(
        0,
        () -> {
          try {
            calls.submit(call);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          inside.release();
        });
    inside.acquire();
    assertThat(answerOf(call)).isZero();
  }

  @Test
  void manyCalls_areAllAnswered() throws Exception {
    List<KernelCall> all = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      var call = nothing();
      calls.submit(call);
      all.add(call);
    }
    for (KernelCall call : all) {
      assertThat(answerOf(call)).isZero();
    }
  }

  @Test
  void aFile_isReadIntoMemoryOfTheCall(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "content");
    var path = Arena.ofAuto().allocateFrom(file.toString());
    var opening =
        new Asked(new KernelRequest(OP_OPEN, AT_FDCWD, 0, path.address(), 0, 0), null, path);
    calls.submit(opening);
    var descriptor = new Descriptor(answerOf(opening));
    var target = Arena.ofAuto().allocate(32);
    var call = reading(descriptor, target);
    calls.submit(call);
    assertThat(answerOf(call)).isEqualTo(7);
    assertThat(target.asSlice(0, 7).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
        .isEqualTo("content".getBytes(StandardCharsets.UTF_8));
    assertThat(call.isMemoryLost()).isFalse();
    descriptor.close();
    assertThat(isOpen(descriptor.number())).isFalse();
  }

  /** Whoever asks for a descriptor and goes away must not leave it behind. */
  @Test
  void whatADroppedCallBrings_isHandedBack_beforeAndAfterTheAnswer() throws Exception {
    var path = Arena.ofAuto().allocateFrom("/dev/null");
    for (boolean answered : new boolean[] {false, true}) {
      for (int round = 0; round < 100; round++) {
        var call =
            new Asked(new KernelRequest(OP_OPEN, AT_FDCWD, 0, path.address(), 0, 0), null, path);
        calls.submit(call);
        if (answered) {
          Await.until(() -> !call.toString().contains("pending"), "the answer");
        }
        call.drop();
        call.drop();
        Await.until(() -> call.abandoned.get() > 0, "the answer to be handed back");
        assertThat(call.abandoned).hasValue(1);
        assertThat(call.answer).isNotNegative();
        PosixCalls.close(call.answer);
      }
    }
  }

  @Test
  void aDroppedCall_keepsItsMemoryAndItsDescriptor_untilItIsAnswered() throws Exception {
    Pipe pipe = Pipe.open();
    var descriptor = new Descriptor(pipe.reader());
    var target = Arena.ofAuto().allocate(8);
    var memory = new WeakReference<>(target);
    var call = reading(descriptor, target);
    calls.submit(call);
    assertThat(call.poll(() -> {})).isEqualTo(KernelCall.PENDING);
    target = null;
    call.drop();
    descriptor.close();
    var counted = call.abandoned;
    call = null;
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    assertThat(memory.get()).as("memory that the kernel may write to").isNotNull();
    assertThat(isOpen(pipe.reader())).isTrue();
    assertThat(counted).hasValue(0);
    PosixCalls.close(pipe.writer()); // lets the read end
    Await.until(() -> counted.get() == 1, "the answer");
    Await.until(() -> !isOpen(pipe.reader()), "the descriptor to be closed");
    Await.untilCollected(() -> memory.get() == null, "the memory to be let go of");
  }

  @Test
  void aCancelledCall_isAnsweredSoon() throws Exception {
    Pipe pipe = Pipe.open();
    var descriptor = new Descriptor(pipe.reader());
    var call = reading(descriptor, Arena.ofAuto().allocate(8));
    call.cancel(); // not made yet: nothing happens
    calls.submit(call);
    assertThat(call.poll(() -> {})).isEqualTo(KernelCall.PENDING);
    call.cancel();
    assertThat(answerOf(call)).isIn(-Errno.ECANCELED, -Errno.EINTR);
    call.cancel();
    descriptor.close();
    PosixCalls.close(pipe.writer());
  }

  @Test
  void closingTheDriver_answersWhatIsPending_andTakesNoMore() throws Exception {
    Pipe pipe = Pipe.open();
    var descriptor = new Descriptor(pipe.reader());
    var waits = reading(descriptor, Arena.ofAuto().allocate(8));
    var dropped = reading(descriptor, Arena.ofAuto().allocate(8));
    calls.submit(waits);
    calls.submit(dropped);
    dropped.drop();
    var wakes = new AtomicInteger();
    assertThat(waits.poll(wakes::incrementAndGet)).isEqualTo(KernelCall.PENDING);
    workers.close();
    workers = null;
    assertThat(wakes).hasValue(1);
    assertThat(answerOf(waits)).isIn(-Errno.ECANCELED, -Errno.EINTR);
    assertThat(dropped.abandoned).hasValue(1);
    assertThatThrownBy(() -> calls.submit(nothing())).isInstanceOf(ClosedChannelException.class);
    descriptor.close();
    PosixCalls.close(pipe.writer());
  }

  @Test
  void aCallOnAClosedDescriptor_isRefused() throws Exception {
    Pipe pipe = Pipe.open();
    var descriptor = new Descriptor(pipe.reader());
    descriptor.close();
    PosixCalls.close(pipe.writer());
    var call = reading(descriptor, Arena.ofAuto().allocate(8));
    assertThatThrownBy(() -> calls.submit(call)).isInstanceOf(ClosedChannelException.class);
    assertThat(call.abandoned).hasValue(0);
  }

  /** Whoever is told that it was not made would do it in another way, and so twice. */
  @Test
  void aCallThatWasRefused_isNeverMade(@TempDir Path folder) throws Exception {
    for (int refused = 1; refused <= 3; refused++) {
      int number = refused;
      Path made = folder.resolve("made" + refused);
      var path = Arena.ofAuto().allocateFrom(made.toString());
      var lonely = new UringDriver(new Seats(1, TimeSource.system()), new UringBackend().probe());
      boolean isRefused = false;
      try (var worker = new DrivenWorkers(lonely, 1)) {
        worker.refuses = call -> call == number;
        var request = new KernelRequest(OP_MKDIR, AT_FDCWD, 0, path.address(), 0x1ff, 0);
        var call = new Asked(request, null, path);
        try {
          lonely.kernelCalls().submit(call);
        } catch (RejectedExecutionException e) {
          isRefused = true;
        }
        worker.drive(0);
        if (!isRefused) {
          assertThat(answerOf(call)).isZero();
        }
        var last = nothing();
        lonely.kernelCalls().submit(last);
        assertThat(answerOf(last)).isZero();
      }
      assertThat(Files.exists(made)).as("call %s of a worker", refused).isNotEqualTo(isRefused);
      assertThat(isRefused).as("told where nobody could come").isEqualTo(refused == 1);
    }
  }

  @Test
  void theKernel_tellsWhatItKnows() {
    assertThat(calls.knows(SubmissionAbi.OP_READ)).isTrue();
    assertThat(calls.knows(-1)).isFalse();
    assertThat(calls.knows(255)).isFalse();
    assertThat(calls.knows(1 << 20)).isFalse();
  }
}
