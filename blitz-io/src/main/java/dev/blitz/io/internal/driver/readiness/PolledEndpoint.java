package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.base.UseCounted;
import dev.blitz.io.internal.driver.EndpointRegistry;
import dev.blitz.io.internal.driver.LingeringSockets;
import dev.blitz.io.internal.driver.OwnedEndpoint;
import java.io.IOException;

/**
 * A descriptor that learns of its events through the driver's source: how its sides wait, and how
 * it is closed. How its calls are made is up to the kind of descriptor.
 *
 * @param <D> what stands for the descriptor
 */
public abstract class PolledEndpoint<D extends UseCounted> extends OwnedEndpoint<D>
    implements EndpointRegistry.Registered {
  private final PollingDriver<?> driver;

  /** The side that reads, or accepts. */
  protected final Readiness reading;

  /** The side that writes; of a listener the same. */
  protected final Readiness writing;

  /** Written once by the driver, before anybody else knows the endpoint. */
  private long key;

  protected PolledEndpoint(
      PollingDriver<?> driver, D descriptor, Readiness reading, Readiness writing) {
    super(descriptor);
    this.driver = driver;
    this.reading = reading;
    this.writing = writing;
  }

  @Override
  public final void registeredAs(long key) {
    this.key = key;
  }

  /** What its events are known by. */
  protected final long key() {
    return key;
  }

  /** What the source saw; on any worker. */
  protected void signal(int bits) {
    if ((bits & EventBits.READING) != 0) {
      reading.signal();
    }
    if ((bits & EventBits.WRITING) != 0) {
      writing.signal();
    }
  }

  /** Wakes whoever waits: the socket has been closed. */
  private void wakeAll() {
    reading.wake();
    writing.wake();
  }

  /** The reader waits no more. */
  public final void forgetReader() {
    reading.clear();
  }

  /** The writer waits no more. */
  public final void forgetWriter() {
    writing.clear();
  }

  /** Has a close told to one who does not write. */
  public final void awaitClose(Waker waker) {
    writing.set(waker);
  }

  /** Makes sure that events of {@code side} arrive; the descriptor is in use. */
  protected abstract void arm(Readiness side) throws IOException;

  /** The descriptor is marked, and still in use. */
  protected void closing() {}

  /** After {@link #closing}: no event of it will be found any more. */
  protected void disarm() {}

  /** Whether a call on {@code side} makes sense. */
  protected boolean isReady(Readiness side) {
    return side.isReady(side.events());
  }

  /**
   * Whether a call would be in vain; then the waker has been kept. The order matters: events must
   * arrive before the waker is stored, and the last looks come after that.
   */
  protected final boolean mustWait(Readiness side, Waker waker) throws IOException {
    if (isReady(side)) {
      return false;
    }
    arm(side);
    side.set(waker);
    if (!isOpen()) { // close() may have looked for the waker just before, and disarmed
      side.clear();
      disarm();
      requireOpen();
    }
    if (isReady(side)) {
      side.clear();
      return false;
    }
    return true;
  }

  @Override
  public final void close() {
    StackRoom.forMany(); // it is done once
    if (!descriptor().tryUse()) {
      return; // it has been closed
    }
    try {
      if (descriptor() instanceof LingeringSockets.Bound socket) {
        driver.lingers(socket); // before anybody can know that it is closed
      }
    } finally { // also without memory
      try {
        closeInUse();
      } finally {
        descriptor().release();
      }
    }
  }

  private void closeInUse() {
    if (descriptor().close()) {
      try {
        closing();
      } finally { // also without memory
        driver.forget(key);
        try {
          disarm();
        } finally {
          wakeAll();
        }
      }
    }
  }
}
