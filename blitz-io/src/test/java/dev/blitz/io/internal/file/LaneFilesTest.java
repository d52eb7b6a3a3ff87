package dev.blitz.io.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.DeepCalls;
import dev.blitz.io.TestBackends;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.services.Services;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
class LaneFilesTest {
  private static final Path PATH = Path.of("/some/file");

  /** Counts its closes: the second one of a number would close what somebody else has opened. */
  private static final class Channel implements LaneChannel {
    final AtomicInteger closes = new AtomicInteger();
    final CountDownLatch forcing = new CountDownLatch(1);
    final CountDownLatch forced = new CountDownLatch(1);

    @Override
    public boolean isSeekable() {
      return true;
    }

    @Override
    public int read(ByteBuffer target, long position) {
      return -1;
    }

    @Override
    public int write(ByteBuffer source, long position) {
      return 0;
    }

    /** As a call of the system, which nothing ends. */
    @Override
    public void force(boolean metadata) {
      forcing.countDown();
      while (forced.getCount() > 0) {
        try {
          forced.await();
        } catch (InterruptedException e) {
          // not yet
        }
      }
    }

    @Override
    public void setLength(long length) {}

    @Override
    public long size() {
      return 0;
    }

    @Override
    public MemorySegment map(LaneMap.Mapping mapping) {
      throw new UnsupportedOperationException("not asked for");
    }

    @Override
    public boolean tryLock(RangeLock range) {
      return true;
    }

    @Override
    public void unlock(RangeLock range) {
      throw new OutOfMemoryError("made up");
    }

    @Override
    public void close() {
      closes.incrementAndGet();
    }
  }

  @BeforeEach
  void needsEpoll() {
    assumeTrue(TestBackends.probe("epoll").available());
  }

  private static LaneFiles filesOf(BlitzRuntime runtime) throws Exception {
    return runtime.run(Futures.lazy(() -> (LaneFiles) Services.required("a test").files()));
  }

  @Test
  void adopt_afterTheRuntimesClose_closesTheChannelOnce() throws Exception {
    LaneFiles files;
    try (BlitzRuntime runtime = BlitzRuntime.builder().backend("epoll").workers(1).build()) {
      files = filesOf(runtime);
    }
    var channel = new Channel();
    assertThatThrownBy(() -> files.adopt(PATH, channel)).isInstanceOf(ClosedChannelException.class);
    assertThat(channel.closes).hasValue(1);
  }

  /** Whether the system has it back nobody knows: who wants the range asks it. */
  @Test
  void anUnlockThatFailsForWantOfMemory_letsOthersOfTheFileAsk() throws Exception {
    try (BlitzRuntime runtime = BlitzRuntime.builder().backend("epoll").workers(1).build()) {
      OpenFile file = filesOf(runtime).adopt(PATH, new Channel());
      try {
        var range = new RangeLock(file, 0, 10, false);
        assertThat(file.locks().tryClaim(range, new FileLocks.Wait(), () -> {})).isTrue();
        range.take();
        range.releaseAwaited();
        var other = new RangeLock(file, 5, 10, false);
        var wait = new FileLocks.Wait();
        Await.until(() -> file.locks().tryClaim(other, wait, () -> {}), "nobody has the range");
        assertThatThrownBy(range::throwFailure).hasMessage("made up");
        other.leave(false);
      } finally {
        file.close();
      }
    }
  }

  /** The call would go on with a number that somebody else has got. */
  @Test
  void close_whoseDeadlinePasses_leavesTheFileToTheCallThatUsesIt() throws Exception {
    var channel = new Channel();
    BlitzRuntime runtime = BlitzRuntime.builder().backend("epoll").workers(1).build();
    try {
      FileOperation force = filesOf(runtime).adopt(PATH, channel).force(true);
      channel.forcing.await();
      assertThat(runtime.close(Duration.ofMillis(1)).clean()).isFalse();
      assertThatThrownBy(() -> force.poll(() -> {})).isInstanceOf(Exception.class);
      assertThat(channel.closes).as("closed in the middle of a call").hasValue(0);
    } finally {
      channel.forced.countDown();
      runtime.close();
    }
    Await.until(() -> channel.closes.get() == 1, "its close");
  }

  /** Its owner polls it, or abandons it again, with more stack. */
  @Test
  void anAbandonThatOverflows_hasDoneNothing() throws Exception {
    try (BlitzRuntime runtime = BlitzRuntime.builder().backend("epoll").workers(1).build()) {
      var channel = new Channel();
      OpenFile file = filesOf(runtime).adopt(PATH, channel);
      try {
        int overflows = 0;
        for (int round = 0; round < 3; round++) {
          FileOperation force = file.force(true);
          channel.forcing.await();
          boolean[] abandoned = {false};
          overflows +=
              DeepCalls.downToTheEnd(
                  () -> {
                    if (!abandoned[0]) {
                      abandonOrPend(force);
                      abandoned[0] = true;
                    }
                  },
                  round);
        }
        assertThat(overflows).isPositive();
      } finally {
        channel.forced.countDown();
        file.close();
      }
    }
  }

  private static void abandonOrPend(FileOperation operation) throws IOException {
    try {
      operation.abandon();
    } catch (StackOverflowError e) {
      if (operation.poll(() -> {}) != FileOperation.PENDING) {
        throw new AssertionError("abandoned nevertheless");
      }
      throw e;
    }
  }

  /** All threads of the lane are taken: the question for it is withdrawn where it is abandoned. */
  @Test
  void aLockThatIsWithdrawnAtTheEndOfTheStack_isLeft() throws Exception {
    try (BlitzRuntime runtime = BlitzRuntime.builder().backend("epoll").workers(1).build()) {
      var channel = new Channel();
      OpenFile file = filesOf(runtime).adopt(PATH, channel);
      try {
        List<FileOperation> taken = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
          taken.add(file.force(true));
        }
        assertThat(taken).hasSize(64);
        for (int round = 0; round < 12; round++) {
          var range = new RangeLock(file, 0, 10, false);
          assertThat(file.locks().tryClaim(range, new FileLocks.Wait(), () -> {})).isTrue();
          FileOperation lock = file.lock(range);
          range.leaveSoon();
          boolean[] abandoned = {false};
          int overflows =
              DeepCalls.downToTheEnd(
                  () -> {
                    if (!abandoned[0]) {
                      lock.abandon();
                      abandoned[0] = true;
                    }
                  },
                  round);
          assertThat(overflows).isPositive();
          var next = new RangeLock(file, 5, 10, false);
          assertThat(file.locks().tryClaim(next, new FileLocks.Wait(), () -> {})).isTrue();
          next.leave(false);
        }
      } finally {
        channel.forced.countDown();
        file.close();
      }
    }
  }

  /** The dropped write that it has waited for ends on a thread that has too little stack for it. */
  @Test
  void aLockThatCannotBeGivenBackLater_wakesWhoAwaitsThat() throws Exception {
    try (BlitzRuntime runtime = BlitzRuntime.builder().backend("epoll").workers(1).build()) {
      OpenFile file = filesOf(runtime).adopt(PATH, new Channel());
      try {
        for (int round = 0; round < 3; round++) {
          var range = new RangeLock(file, 0, 10, false);
          assertThat(file.locks().tryClaim(range, new FileLocks.Wait(), () -> {})).isTrue();
          range.take();
          var write = new DroppedWrite(file);
          file.begin(write);
          write.abandon();
          range.releaseAwaited();
          var wakes = new AtomicInteger();
          var wait = new FileLocks.Wait();
          assertThat(file.locks().awaitRelease(range, wait, wakes::incrementAndGet)).isFalse();
          boolean[] ended = {false};
          DeepCalls.downToTheEnd(
              () -> {
                if (!ended[0]) {
                  StackRoom.forCalls(); // as whoever wakes has
                  ended[0] = true;
                  file.ended(write);
                }
              },
              round);
          assertThat(range.isHeld()).as("whether it could not be given back").isTrue();
          assertThat(wakes).as("wakes of who awaits that").hasValue(1);
          assertThatThrownBy(() -> awaitReleased(range)).hasMessage("made up"); // by the channel
        }
      } finally {
        file.close();
      }
    }
  }

  private static void awaitReleased(RangeLock range) {
    var wait = new FileLocks.Wait();
    FileLocks locks = range.file().locks();
    Await.until(() -> locks.awaitRelease(range, wait, () -> {}), "the second attempt");
  }

  /** Its end is the test's. */
  private static final class DroppedWrite extends FileOperation {
    DroppedWrite(OpenFile file) {
      super(file);
    }

    @Override
    public ByteBuffer bytes() {
      throw new UnsupportedOperationException("no bytes");
    }

    @Override
    protected boolean changesFile() {
      return true;
    }

    @Override
    protected long result() {
      return 0;
    }

    @Override
    protected void giveBack() {}

    @Override
    protected void withdraw() {}
  }

  /** Who does it still uses the memory. */
  @Test
  void anAbandonThatHasFailed_andIsMadeAgain_givesNothingBackBeforeTheEnd() {
    var operation = new Unwilling();
    assertThatThrownBy(operation::abandon).hasMessage("made up");
    operation.abandon();
    assertThat(operation.givenBack).isZero();
    operation.ended();
    assertThat(operation.givenBack).isEqualTo(1);
  }

  /** Cannot be withdrawn at first. */
  private static final class Unwilling extends FileOperation {
    int givenBack;
    private boolean asked;

    Unwilling() {
      super(null);
    }

    @Override
    public ByteBuffer bytes() {
      throw new UnsupportedOperationException("no bytes");
    }

    @Override
    protected boolean changesFile() {
      return false;
    }

    @Override
    protected long result() {
      return 0;
    }

    @Override
    protected void giveBack() {
      givenBack++;
    }

    @Override
    protected void withdraw() {
      if (!asked) {
        asked = true;
        throw new OutOfMemoryError("made up");
      }
    }
  }
}
