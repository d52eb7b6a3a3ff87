package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.EndpointRegistry;
import dev.blitz.io.internal.driver.OwnedEndpoint;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A descriptor that learns of its events through the shared poller. */
abstract class ReadinessEndpoint extends OwnedEndpoint implements EndpointRegistry.Registered {
  /** {@link #pollIo}: the waker has been kept. */
  static final long MUST_WAIT = Long.MIN_VALUE;

  static final MemorySegment[] NONE = {};

  static final ByteBuffer NO_BUFFER = ByteBuffer.allocate(0);

  private final ReadinessDriver driver;
  private final int interest;

  /** Written once by the driver, before anybody else knows the endpoint. */
  private long key;

  /** Whether each event arrives by itself; both sides may find that it does not, and arm. */
  private volatile boolean armed;

  /** {@code interest}: the {@link EventBits} of all its sides. */
  ReadinessEndpoint(ReadinessDriver driver, Descriptor descriptor, int interest) {
    super(descriptor);
    this.driver = driver;
    this.interest = interest;
  }

  final ReadinessDriver driver() {
    return driver;
  }

  @Override
  public final void registeredAs(long key) {
    this.key = key;
  }

  /** What the poller saw; on any worker. */
  abstract void signal(int bits);

  /** Wakes whoever waits: the socket has been closed. */
  abstract void wakeAll();

  /** The descriptor is marked, and still in use. */
  void closing() {}

  /** Whether a call on {@code side} makes sense. */
  boolean isReady(Readiness side) {
    return side.isReady(side.events());
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
    while (waker == null || !mustWait(side, waker)) {
      int events = side.events();
      long n = call.make(frame, descriptor().number(), one, many);
      if (n == -Errno.EAGAIN) {
        side.drained(events);
        if (waker == null) {
          break;
        }
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
   * Whether a call would be in vain; then the waker has been kept. The order matters: events must
   * arrive before the waker is stored, and the last looks come after that.
   */
  private boolean mustWait(Readiness side, Waker waker) throws IOException {
    if (isReady(side)) {
      return false;
    }
    if (!armed) {
      arm(side);
    }
    side.set(waker);
    if (isReady(side)) {
      side.clear();
      return false;
    }
    requireOpen(); // close() may have looked for the waker just before
    return true;
  }

  /**
   * Makes sure that events arrive. Only now, when there is something to wait for: the kernel then
   * reports at once what is already there, and a connection that never waits costs no call. Without
   * a lock: the two sides may both do it.
   */
  private void arm(Readiness side) throws IOException {
    Poller poller = driver.poller();
    boolean stays = poller.staysArmed();
    poller.arm(descriptor().number(), stays ? interest : side.interest(), key);
    if (stays) {
      armed = true;
    }
  }

  /** For {@link #closing}: the descriptor may stay open elsewhere. */
  final void disarmShared() {
    if (armed) {
      driver.disarmShared(descriptor().number());
    }
  }

  @Override
  public final void close() {
    StackRoom.forMany(); // it is done once
    if (!descriptor().tryUse()) {
      return; // it has been closed
    }
    try {
      if (descriptor().close()) {
        try {
          closing();
        } finally { // also without memory
          driver.forget(descriptor().number(), key);
          wakeAll();
        }
      }
    } finally {
      descriptor().release();
    }
  }
}
