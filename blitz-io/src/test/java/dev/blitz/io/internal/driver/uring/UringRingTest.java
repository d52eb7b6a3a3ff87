package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class UringRingTest {
  private static final long FOREVER = Long.MAX_VALUE;
  private static final int ECANCELED = 125;
  private static final int ENOENT = 2;

  @BeforeEach
  void needsIoUring() {
    var probe = new UringBackend().probe();
    assumeTrue(probe.available(), probe.detail());
  }

  private static void nop(UringRing ring, long userData) {
    long at = ring.claim();
    assertThat(at).isNotNegative();
    SubmissionAbi.nop(ring.entries(), at, userData);
    ring.push();
  }

  private static List<Long> consume(UringRing ring) {
    var seen = new ArrayList<Long>();
    int ready = ring.ready();
    for (int i = 0; i < ready; i++) {
      seen.add(ring.userData(i));
    }
    ring.consume(ready);
    return seen;
  }

  @Test
  void userData_comesBackWhole() {
    try (var ring = new UringRing(4, 8)) {
      nop(ring, 0x8000_0001_FFFF_FFFEL);
      ring.submitAndWait(FOREVER);
      assertThat(consume(ring)).containsExactly(0x8000_0001_FFFF_FFFEL);
      assertThat(ring.ready()).isZero();
    }
  }

  @Test
  void entries_areReusedManyTimesAround() {
    try (var ring = new UringRing(4, 8)) {
      var seen = new ArrayList<Long>();
      for (long i = 0; i < 1000; i++) {
        nop(ring, i);
        if (i % 3 == 2) {
          assertThat(ring.pending()).isEqualTo(3);
          ring.submitAndWait(FOREVER);
          assertThat(ring.pending()).isZero();
          seen.addAll(consume(ring));
        }
      }
      ring.submitAndWait(FOREVER);
      seen.addAll(consume(ring));
      assertThat(seen).isEqualTo(LongStream.range(0, 1000).boxed().toList());
    }
  }

  @Test
  void claim_whenFull_submitsFirst() {
    try (var ring = new UringRing(4, 16)) {
      assertThat(ring.submissionCapacity()).isEqualTo(4);
      for (long i = 0; i < 10; i++) {
        nop(ring, i);
      }
      ring.submit();
      assertThat(consume(ring)).isEqualTo(LongStream.range(0, 10).boxed().toList());
    }
  }

  @Test
  void overflow_isFlagged_andLosesNothing() {
    try (var ring = new UringRing(4, 4)) {
      int capacity = ring.completionCapacity();
      int total = 3 * capacity;
      for (long i = 0; i < total; i++) {
        nop(ring, i);
        ring.submit();
      }
      assertThat(ring.ready()).isEqualTo(capacity);
      assertThat(ring.isOverflown()).isTrue();
      var seen = new ArrayList<Long>();
      while (seen.size() < total) {
        var some = consume(ring);
        assertThat(some).isNotEmpty();
        seen.addAll(some);
        ring.flush();
      }
      assertThat(seen).isEqualTo(LongStream.range(0, total).boxed().toList());
      assertThat(ring.isOverflown()).isFalse();
    }
  }

  @Test
  void wait_endsAtItsTimeout_neverEarly() {
    try (var ring = new UringRing(4, 8)) {
      long start = System.nanoTime();
      ring.submitAndWait(20_000_000);
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
      assertThat(ring.ready()).isZero();
    }
  }

  @Test
  void waitWithTimeout_submitsToo_andEndsWithTheCompletion() {
    try (var ring = new UringRing(4, 8)) {
      nop(ring, 5);
      ring.submitAndWait(3_600_000_000_000L);
      assertThat(consume(ring)).containsExactly(5L);
    }
  }

  @Test
  void wait_endsByACounterThatAnotherThreadSignals() throws Exception {
    int counter = WorkerRing.newCounter();
    try (var ring = new UringRing(4, 8)) {
      SubmissionAbi.poll(ring.entries(), ring.claim(), counter, PosixAbi.POLLIN, 9);
      ring.push();
      var other = Thread.ofPlatform().start(() -> PosixCalls.count(counter));
      ring.submitAndWait(FOREVER);
      assertThat(ring.result(0) & PosixAbi.POLLIN).isEqualTo(PosixAbi.POLLIN);
      assertThat(consume(ring)).containsExactly(9L);
      other.join();
    } finally {
      PosixCalls.close(counter);
    }
  }

  @Test
  void cancel_byUserData_endsThatOperationOnly() {
    int counter = WorkerRing.newCounter();
    try (var ring = new UringRing(8, 16)) {
      for (long userData = 1; userData <= 3; userData++) {
        SubmissionAbi.poll(ring.entries(), ring.claim(), counter, PosixAbi.POLLIN, userData);
        ring.push();
      }
      SubmissionAbi.cancel(ring.entries(), ring.claim(), 2, 100);
      ring.push();
      ring.submit();
      Await.until(() -> ring.ready() == 2, "the cancel and its target");
      for (int i = 0; i < 2; i++) {
        if (ring.userData(i) == 2) {
          assertThat(ring.result(i)).isEqualTo(-ECANCELED);
        } else {
          assertThat(ring.userData(i)).isEqualTo(100);
          assertThat(ring.result(i)).isZero();
        }
      }
      ring.consume(2);
      SubmissionAbi.cancel(ring.entries(), ring.claim(), 2, 101);
      ring.push();
      ring.submitAndWait(FOREVER);
      assertThat(ring.result(0)).as("cancelled before").isEqualTo(-ENOENT);
      assertThat(consume(ring)).containsExactly(101L);
      SubmissionAbi.cancelEverything(ring.entries(), ring.claim(), 102);
      ring.push();
      ring.submit();
      Await.until(() -> ring.ready() == 3, "the cancel and what was left");
      assertThat(consume(ring)).containsExactlyInAnyOrder(1L, 3L, 102L);
    } finally {
      PosixCalls.close(counter);
    }
  }

  /**
   * A receive with much to receive lets go of the submitter after so many buffers, and goes on when
   * the kernel next has time. A cancel finds it also then: we do not repeat cancels.
   */
  @Test
  void cancel_findsAReceiveThatIsBetweenTwoTurns() {
    int flags = UringAbi.SETUP_SUBMIT_ALL | UringAbi.SETUP_COOP_TASKRUN;
    try (var ring = new UringRing(8, 512, flags);
        var buffers = new BufferRing(ring, 0, 256, 16);
        var pair = new LocalPair()) {
      pair.send(new byte[255 * 16]);
      SubmissionAbi.receiveMany(ring.entries(), ring.claim(), pair.reader, buffers.group(), 1);
      ring.push();
      SubmissionAbi.cancel(ring.entries(), ring.claim(), 1, 2);
      ring.push();
      ring.submit();
      ring.flush();
      int cancels = 0;
      boolean ended = false;
      int ready = ring.ready();
      for (int i = 0; i < ready; i++) {
        if (ring.userData(i) == 2) {
          cancels++;
          assertThat(ring.result(i)).isZero();
        } else {
          ended |= CompletionAbi.isLast(ring.flags(i));
        }
      }
      assertThat(cancels).isEqualTo(1);
      assertThat(ready).as("it had not received everything").isLessThan(255);
      assertThat(ended).isTrue();
    }
  }

  @Test
  void completionsAppear_whileTheSubmitterRunsJavaCode() throws Exception {
    int counter = WorkerRing.newCounter();
    try (var ring = new UringRing(4, 8)) {
      SubmissionAbi.poll(ring.entries(), ring.claim(), counter, PosixAbi.POLLIN, 1);
      ring.push();
      ring.submit();
      var other = Thread.ofPlatform().start(() -> PosixCalls.count(counter));
      long sum = 0;
      while (!ring.seemsReady()) { // no system call in here
        sum += System.identityHashCode(ring);
      }
      assertThat(sum).isNotNegative();
      other.join();
    } finally {
      PosixCalls.close(counter);
    }
  }

  @Test
  void cooperativeWork_isDoneAfterAKick_whileTheSubmitterRunsJavaCode() throws Exception {
    assumeTrue(UringCalls.enableKick(), "no membarrier here");
    int counter = WorkerRing.newCounter();
    int flags = UringAbi.SETUP_COOP_TASKRUN | UringAbi.SETUP_TASKRUN_FLAG;
    try (var ring = new UringRing(4, 8, flags)) {
      SubmissionAbi.poll(ring.entries(), ring.claim(), counter, PosixAbi.POLLIN, 1);
      ring.push();
      ring.submit();
      var done = new AtomicBoolean();
      var other =
          Thread.ofPlatform()
              .start(() -> {
                PosixCalls.count(counter);
                while (!done.get()) {
                  UringCalls.kick();
                }
              });
      while (!ring.seemsReady()) { // no system call in here
        Thread.onSpinWait();
      }
      done.set(true);
      other.join();
    } finally {
      PosixCalls.close(counter);
    }
  }

  @Test
  void close_leavesNeitherDescriptorNorMapping() throws IOException {
    new UringRing(64, 128).close();
    long before = mappings();
    for (int i = 0; i < 50; i++) {
      new UringRing(64, 128).close();
    }
    assertThat(mappings()).isEqualTo(before);
  }

  private static long mappings() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains("io_uring")).count();
    }
  }

  @Test
  void refusedSetup_namesTheReason() {
    assertThatThrownBy(() -> new UringRing(4, 8, 1 << 31))
        .isInstanceOf(UringException.class)
        .hasMessageContaining("io_uring_setup")
        .hasMessageContaining("errno 22");
  }
}
