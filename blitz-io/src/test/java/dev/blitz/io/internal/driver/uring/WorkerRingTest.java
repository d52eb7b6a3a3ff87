package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.base.SpinLock;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.CountedArena;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.SeccompFilter;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.socket.SocketHandle;
import dev.blitz.io.internal.wait.WakerSlot;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class WorkerRingTest {

  @BeforeEach
  void needsIoUring() {
    var probe = new UringBackend().probe();
    assumeTrue(probe.available(), probe.detail());
  }

  /** Completes at once, and wakes; or fails in the middle of that. */
  private static final class Nothing extends DescriptorOperation {
    private final WakerSlot slot;
    private final boolean fails;

    Nothing(Descriptor descriptor, WakerSlot slot, boolean fails) {
      super(descriptor);
      this.slot = slot;
      this.fails = fails;
    }

    @Override
    void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
      SubmissionAbi.nop(entries, at, userData);
    }

    @Override
    void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {
      woken.add(slot);
      if (fails) {
        throw new OutOfMemoryError("made for this test");
      }
    }
  }

  private static List<WakerSlot> slots(int count, AtomicInteger wakes) {
    List<WakerSlot> slots = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      slots.add(new WakerSlot());
      slots.getLast().set(wakes::incrementAndGet);
    }
    return slots;
  }

  @Test
  void serving_thatFails_losesNeitherWakesNorDescriptors_andGoesOn() throws Exception {
    var driver = new UringDriver(new Seats(1, TimeSource.system()), new UringBackend().probe());
    try (var workers = new DrivenWorkers(driver, 1)) {
      driver.openListener(AddressFamily.IPV4).close(); // makes the rings
      WorkerRing ring = driver.ringForCaller();
      Descriptor descriptor = SocketHandle.openSocket(AddressFamily.IPV4);
      var wakes = new AtomicInteger();
      List<Nothing> operations = new ArrayList<>();
      for (WakerSlot slot : slots(3, wakes)) {
        var operation = new Nothing(descriptor, slot, operations.size() == 1);
        assertThat(operation.arm(ring)).isTrue();
        operations.add(operation);
      }
      assertThat(workers.calls).hasPositiveValue();
      assertThatThrownBy(() -> ring.serveOwn(new WokenSlots(8)))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(wakes).as("those that were served").hasValue(2);
      ring.serveOwn(new WokenSlots(8));
      assertThat(wakes).hasValue(3);
      assertThat(operations).noneMatch(Operation::isArmed);
      assertThat(descriptor.toString()).contains("in use by 0");
      descriptor.close();
    }
  }

  /** Takes another lock under the ring's, as those do that give back buffers. */
  private static final class Nested extends Operation {
    private final SpinLock inner;
    private final CountDownLatch inside;

    Nested(SpinLock inner, CountDownLatch inside) {
      this.inner = inner;
      this.inside = inside;
    }

    @Override
    void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
      inside.countDown();
      inner.lock();
      inner.unlock();
      SubmissionAbi.nop(entries, at, userData);
    }

    @Override
    void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {}
  }

  /**
   * A direct task that gave up its worker now would let a task run there that needs the ring: then
   * neither would ever go on.
   */
  @Test
  void aDirectTaskThatHoldsTheRing_andWaitsForAnotherLock_keepsItsWorker() throws Exception {
    var driver = new UringDriver(new Seats(1, TimeSource.system()), new UringBackend().probe());
    try (var workers = new DrivenWorkers(driver, 1);
        var runtime = BlitzRuntime.builder().workers(1).build()) {
      driver.openListener(AddressFamily.IPV4).close(); // makes the rings
      WorkerRing ring = driver.ringForCaller();
      var inner = new SpinLock();
      var inside = new CountDownLatch(1);
      var begun = new CountDownLatch(1);
      inner.lock();
      var arming = runtime.spawn(() -> new Nested(inner, inside).arm(ring));
      inside.await();
      var serving =
          runtime.spawn(
              Futures.lazy(() -> {
                begun.countDown();
                return ring.serveOwn(new WokenSlots(8));
              }));
      // On a carrier of ours it must not begin; elsewhere it may.
      begun.await(100, TimeUnit.MILLISECONDS);
      inner.unlock();
      assertThat(arming.await()).isTrue();
      serving.await();
      assertThat(workers.calls).hasPositiveValue();
    }
  }

  /** Each staged write is armed once. */
  @Test
  void arming_andServing_takesNoMemory() throws Exception {
    var driver = new UringDriver(new Seats(1, TimeSource.system()), new UringBackend().probe());
    try (var workers = new DrivenWorkers(driver, 1)) {
      driver.openListener(AddressFamily.IPV4).close(); // makes the rings
      WorkerRing ring = driver.ringForCaller();
      Descriptor descriptor = SocketHandle.openSocket(AddressFamily.IPV4);
      List<Nothing> operations = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        operations.add(new Nothing(descriptor, new WakerSlot(), false));
      }
      var woken = new WokenSlots(operations.size() + 2);
      Runnable rounds =
          () -> {
            for (int round = 0; round < 10; round++) {
              for (int i = 0; i < operations.size(); i++) {
                operations.get(i).arm(ring);
              }
              ring.serveOwn(woken);
            }
          };
      rounds.run();
      assertThat(Memory.allocatedByEach(rounds)).as("of 1000").isLessThan(1000);
      assertThat(workers.calls).hasPositiveValue();
      assertThat(operations).noneMatch(Operation::isArmed);
      descriptor.close();
    }
  }

  /** Completes at once, and stays armed. */
  private static final class Many extends DescriptorOperation {
    private int completions;
    private boolean fails;

    Many(Descriptor descriptor, boolean fails) {
      super(descriptor);
      this.fails = fails;
    }

    @Override
    void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
      // A socket that is not connected is always hung up.
      SubmissionAbi.pollMany(entries, at, descriptor().number(), PosixAbi.POLLIN, userData);
    }

    @Override
    void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {
      if (!CompletionAbi.isLast(flags)) {
        completions++;
      }
      if (fails) {
        fails = false;
        throw new OutOfMemoryError("made for this test");
      }
    }
  }

  /** One that stays armed would get the same bytes, or the same connection, once more. */
  @Test
  void serving_thatFails_servesNoCompletionTwice() throws Exception {
    var driver = new UringDriver(new Seats(1, TimeSource.system()), new UringBackend().probe());
    try (var workers = new DrivenWorkers(driver, 1)) {
      driver.openListener(AddressFamily.IPV4).close(); // makes the rings
      WorkerRing ring = driver.ringForCaller();
      Descriptor descriptor = SocketHandle.openSocket(AddressFamily.IPV4);
      var many = new Many(descriptor, false);
      var failing = new Many(descriptor, true); // behind the other one
      assertThat(many.arm(ring) && failing.arm(ring)).isTrue();
      assertThat(workers.calls).hasPositiveValue();
      assertThatThrownBy(() -> ring.serveOwn(new WokenSlots(8)))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(many.completions).isEqualTo(1);
      ring.serveOwn(new WokenSlots(8));
      assertThat(many.completions).isEqualTo(1);
      assertThat(failing.completions).as("of the one that fails").isEqualTo(1);
      many.cancel();
      failing.cancel();
      Await.until(
          () -> {
            ring.serveOwn(new WokenSlots(8));
            return !many.isArmed() && !failing.isArmed();
          },
          "both to end");
      descriptor.close();
    }
  }

  /** There is room for two at a time: all are woken all the same. */
  @Test
  void serving_moreThanCanBeGathered_wakesAll() throws Exception {
    var driver = new UringDriver(new Seats(1, TimeSource.system()), new UringBackend().probe());
    try (var workers = new DrivenWorkers(driver, 1)) {
      driver.openListener(AddressFamily.IPV4).close();
      WorkerRing ring = driver.ringForCaller();
      Descriptor descriptor = SocketHandle.openSocket(AddressFamily.IPV4);
      var wakes = new AtomicInteger();
      for (WakerSlot slot : slots(600, wakes)) { // more than the submission queue has room for
        assertThat(new Nothing(descriptor, slot, false).arm(ring)).isTrue();
      }
      assertThat(workers.calls).hasPositiveValue();
      assertThat(ring.serveOwn(new WokenSlots(3))).isEqualTo(600);
      assertThat(wakes).hasValue(600);
      descriptor.close();
    }
  }

  /** Waits for ever; the kernel meets its first cancel before itself, and so finds nothing. */
  private static final class CancelledTooEarly extends DescriptorOperation {
    private final AtomicInteger written = new AtomicInteger();

    CancelledTooEarly(Descriptor descriptor) {
      super(descriptor);
    }

    @Override
    void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
      long own = at;
      if (written.getAndIncrement() == 0) {
        cancelUnderLock(ring); // takes the place that was meant for this one
        own = at + SubmissionAbi.BYTES;
      }
      SubmissionAbi.poll(entries, own, descriptor().number(), PosixAbi.POLLIN, userData);
    }

    @Override
    void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {}
  }

  @Test
  void aCancel_thatTheKernelDidNotFind_isMadeAgain() throws Exception {
    var driver = new UringDriver(new Seats(1, TimeSource.system()), new UringBackend().probe());
    try (var workers = new DrivenWorkers(driver, 1)) {
      SocketHandle quiet = listening(driver);
      var operation = new CancelledTooEarly(quiet.descriptor());
      WorkerRing ring = driver.ringForCaller();
      assertThat(operation.arm(ring)).isTrue();
      assertThat(workers.calls).hasPositiveValue();
      for (int round = 0; round < 5 && operation.isArmed(); round++) {
        ring.serveOwn(new WokenSlots(8));
      }
      assertThat(operation.isArmed()).isFalse();
      assertThat(quiet.descriptor().toString()).contains("in use by 0");
      quiet.descriptor().close();
    }
  }

  /** Nobody serves while they are armed: the kernel keeps aside what it has no room for. */
  @Test
  void serving_moreThanTheCompletionQueueHolds_losesNone() throws Exception {
    var driver = new UringDriver(new Seats(1, TimeSource.system()), new UringBackend().probe());
    try (var workers = new DrivenWorkers(driver, 1)) {
      driver.openListener(AddressFamily.IPV4).close();
      WorkerRing ring = driver.ringForCaller();
      Descriptor descriptor = SocketHandle.openSocket(AddressFamily.IPV4);
      var wakes = new AtomicInteger();
      int many = 2 * UringTuning.COMPLETIONS;
      for (WakerSlot slot : slots(many, wakes)) {
        assertThat(new Nothing(descriptor, slot, false).arm(ring)).isTrue();
      }
      assertThat(workers.calls).hasPositiveValue();
      ring.serveOwn(new WokenSlots(8));
      assertThat(wakes).hasValue(many);
      assertThat(descriptor.toString()).contains("in use by 0");
      descriptor.close();
    }
  }

  @Test
  void cancels_ofMoreThanTheCompletionQueueHolds_allTakeEffect() throws Exception {
    var driver = new UringDriver(new Seats(1, TimeSource.system()), new UringBackend().probe());
    try (var workers = new DrivenWorkers(driver, 1)) {
      SocketHandle quiet = listening(driver);
      WorkerRing ring = driver.ringForCaller();
      var wakes = new AtomicInteger();
      int many = UringTuning.COMPLETIONS;
      List<ReadinessOperation> operations = new ArrayList<>();
      for (WakerSlot slot : slots(many, wakes)) {
        operations.add(new ReadinessOperation(quiet.descriptor(), PosixAbi.POLLIN, slot));
        assertThat(operations.getLast().arm(ring)).isTrue();
      }
      operations.forEach(Operation::cancel); // two completions each
      assertThat(workers.calls).hasPositiveValue();
      for (int round = 0; round < 10 && wakes.get() < many; round++) {
        ring.serveOwn(new WokenSlots(8));
      }
      assertThat(wakes).hasValue(many);
      assertThat(quiet.descriptor().toString()).contains("in use by 0");
      quiet.descriptor().close();
    }
  }

  /** Waits for ever, and fails when it ends. */
  private static final class FailingEnd extends DescriptorOperation {
    FailingEnd(Descriptor descriptor) {
      super(descriptor);
    }

    @Override
    void write(MemorySegment entries, long at, long userData, WorkerRing ring) {
      SubmissionAbi.poll(entries, at, descriptor().number(), PosixAbi.POLLIN, userData);
    }

    @Override
    void completed(WorkerRing ring, int result, int flags, WokenSlots woken) {
      throw new OutOfMemoryError("made for this test");
    }
  }

  /** What is left of one is found by the test's own look at threads, descriptors and memory. */
  @Test
  void theEnd_ofOperationsThatFail_closesEveryRing() throws Exception {
    var driver = new UringDriver(new Seats(3, TimeSource.system()), new UringBackend().probe());
    var workers = new DrivenWorkers(driver, 3);
    SocketHandle quiet = listening(driver);
    for (int worker = 0; worker < 3; worker++) {
      workers.drive(worker);
      var armed = new CompletableFuture<Boolean>();
      workers.run(
          worker,
          () -> {
            WorkerRing ring = driver.ringForCaller();
            boolean first = new FailingEnd(quiet.descriptor()).arm(ring);
            armed.complete(new FailingEnd(quiet.descriptor()).arm(ring) && first);
          });
      assertThat(armed.get()).isTrue();
    }
    assertThat(CountedArena.purposesOfOpen()).hasSize(9);
    assertThatThrownBy(workers::close).isInstanceOf(OutOfMemoryError.class);
    assertThat(CountedArena.purposesOfOpen()).isEmpty();
    assertThat(quiet.descriptor().toString()).contains("in use by 0");
  }

  /** All operations end, also those behind one that fails, and the kernel's memory is free. */
  @Test
  void closingSockets_ofOperationsThatFail_drainsEveryRing() throws Exception {
    var driver = new UringDriver(new Seats(2, TimeSource.system()), new UringBackend().probe());
    try (var workers = new DrivenWorkers(driver, 2)) {
      SocketHandle quiet = listening(driver);
      List<Operation> operations = new ArrayList<>();
      for (int worker = 0; worker < 2; worker++) {
        workers.drive(worker);
        var armed = new CompletableFuture<List<Operation>>();
        workers.run(
            worker,
            () -> {
              WorkerRing ring = driver.ringForCaller();
              var first = new FailingEnd(quiet.descriptor());
              var second = new FailingEnd(quiet.descriptor());
              first.arm(ring);
              second.arm(ring);
              first.cancel();
              second.cancel();
              armed.complete(List.of(first, second));
              Await.until(() -> !first.isArmed() && !second.isArmed(), "the end"); // it is stuck
            });
        operations.addAll(armed.get());
      }
      assertThatThrownBy(driver::closeSockets).isInstanceOf(OutOfMemoryError.class);
      assertThat(operations).noneMatch(Operation::isArmed);
    }
  }

  /** Else the ring that was given up would stay for as long as nothing else comes. */
  @Test
  void aWorker_doesNotSleep_whileItStillWatchesARingThatWasGivenUp() throws Exception {
    var driver = new UringDriver(new Seats(2, TimeSource.system()), new UringBackend().probe());
    try (var workers = new DrivenWorkers(driver, 2)) {
      SocketHandle quiet = listening(driver);
      WorkerRing ring = driver.ringForCaller();
      driver.attach(0);
      driver.needsHelp(1);
      driver.deliver(0); // nobody drives worker 1: it is watched from now on
      for (int i = 0; i < 3; i++) { // it was notified of the rings, then arms its wake
        driver.park(0, System.nanoTime());
      }
      for (int i = 0; i < UringTuning.SUBMISSIONS; i++) {
        var waits = new ReadinessOperation(quiet.descriptor(), PosixAbi.POLLIN, new WakerSlot());
        assertThat(waits.arm(ring)).isTrue();
      }
      assertThat(workers.calls).as("worker 0 is there").hasValue(0);
      long longest = Timeouts.SHORT.toNanos();
      var parked =
          new FutureTask<>(() -> {
            if (!forbidToSubmitWithoutWaiting()) {
              return -1L;
            }
            driver.unwatch(1); // there is no room for that
            long begin = System.nanoTime();
            driver.park(0, begin + longest);
            return System.nanoTime() - begin;
          });
      Thread.ofPlatform().start(parked).join();
      assumeTrue(parked.get() >= 0, "the kernel takes no filter");
      assertThat(parked.get()).isLessThan(longest);
    }
  }

  private static boolean forbidToSubmitWithoutWaiting() {
    try {
      return SeccompFilter.forbid(UringAbi.SYS_IO_URING_ENTER, 2, 0, Errno.EAGAIN);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  /** A socket that has nothing to say: only a cancel ends what waits for it. */
  private static SocketHandle listening(UringDriver driver) throws Exception {
    var listener = (UringListener) driver.openListener(AddressFamily.IPV4);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    listener.listen(1);
    return listener.socket();
  }
}
