package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.wait.LastLook;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A descriptor of a native backend: its calls are made with its number. */
abstract class ReadinessEndpoint extends PolledEndpoint<Descriptor> {
  /** {@link #pollIo}: the waker has been kept. */
  static final long MUST_WAIT = Long.MIN_VALUE;

  static final MemorySegment[] NONE = {};

  static final ByteBuffer NO_BUFFER = ByteBuffer.allocate(0);

  private final ReadinessDriver driver;

  /** The {@link EventBits} of both sides. */
  private final int interest;

  /** Whether each event arrives by itself; both sides may find that it does not, and arm. */
  private volatile boolean armed;

  /** With the {@link EventBits} that its sides wait for. */
  ReadinessEndpoint(ReadinessDriver driver, Descriptor descriptor, int reads, int writes) {
    this(driver, descriptor, new Readiness(reads), new Readiness(writes));
  }

  ReadinessEndpoint(
      ReadinessDriver driver, Descriptor descriptor, Readiness reading, Readiness writing) {
    super(driver, descriptor, reading, writing);
    this.driver = driver;
    this.interest = reading.interest() | writing.interest();
  }

  final ReadinessDriver driver() {
    return driver;
  }

  /**
   * Makes a call as soon as it makes sense: the one loop of all operations.
   *
   * @param waker null to try, whatever is known
   * @param one its memory, or {@link #NO_BUFFER}
   * @param many its memory, or none
   * @param wanted bytes that the call moves if it can; fewer mean that nothing is left. 0 if that
   *     cannot be told
   * @return what the call says, {@code -errno} included, but not {@code -EAGAIN}; {@link
   *     #MUST_WAIT} if it would be in vain now, or was
   */
  final long pollIo(
      Readiness side,
      @Nullable Waker waker,
      IoCall call,
      ByteBuffer one,
      MemorySegment[] many,
      long wanted)
      throws IOException {
    StackRoom.forWake(); // to let go of what is in use
    CallFrame frame = CallFrame.take(); // first: it may find no memory
    try {
      use();
      try {
        return callWhenReady(frame, side, waker, call, one, many, wanted);
      } finally {
        descriptor().release();
      }
    } finally {
      frame.giveBack();
    }
  }

  private long callWhenReady(
      CallFrame frame,
      Readiness side,
      @Nullable Waker waker,
      IoCall call,
      ByteBuffer one,
      MemorySegment[] many,
      long wanted)
      throws IOException {
    boolean asks = LastLook.isUnderWay();
    if (asks && waker != null) {
      side.clear(); // of a wait before, if it succeeds now
    }
    while (waker == null || asks || !mustWait(side, waker)) {
      int events = side.events();
      long n = call.make(frame, descriptor().number(), one, many);
      if (n == -Errno.EAGAIN) {
        side.drained(events);
        if (waker == null) {
          break;
        }
        asks = false;
        continue;
      }
      if (n > 0 && n < wanted) {
        side.drainedByShortCall(events);
      }
      return n;
    }
    return MUST_WAIT;
  }

  /**
   * Only now, when there is something to wait for: the kernel then reports at once what is already
   * there, and a connection that never waits costs no call. Without a lock: the two sides may both
   * do it.
   */
  @Override
  protected final void arm(Readiness side) throws IOException {
    if (armed) {
      return;
    }
    Poller poller = driver.source();
    boolean stays = poller.staysArmed();
    poller.arm(descriptor().number(), stays ? interest : side.interest(), key());
    if (stays) {
      armed = true;
    }
  }

  @Override
  protected void disarm() {
    Poller open = driver.sourceOrNull();
    if (open != null) {
      open.disarm(descriptor().number(), key());
    }
  }
}
