package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.EndpointRegistry;
import dev.blitz.io.internal.driver.LingeringSockets;
import dev.blitz.io.internal.driver.OwnedEndpoint;
import dev.blitz.io.internal.driver.posix.Descriptor;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.AsynchronousCloseException;

/** A descriptor that the driver knows, so that closing the driver closes it. */
abstract class UringEndpoint extends OwnedEndpoint<Descriptor>
    implements EndpointRegistry.Registered {
  private final UringDriver driver;
  private volatile long key;

  UringEndpoint(UringDriver driver, Descriptor descriptor) {
    super(descriptor);
    this.driver = driver;
  }

  final UringDriver driver() {
    return driver;
  }

  @Override
  public final void registeredAs(long key) {
    this.key = key;
  }

  /** Why an operation could not be armed. */
  final IOException notArmed() {
    return isOpen()
        ? new SocketException("the io_uring of this worker has failed; the log tells why")
        : new AsynchronousCloseException();
  }

  @Override
  public final void close() {
    StackRoom.forMany(); // it is done once, and others' completions may be served on the way
    if (!descriptor().tryUse()) {
      return; // it has been closed
    }
    try {
      if (descriptor() instanceof LingeringSockets.Bound socket) {
        driver.lingers(socket); // before anybody can know that it is closed
      }
    } finally { // also without memory
      try {
        if (descriptor().close()) {
          driver.forget(key);
          closed();
        }
      } finally {
        descriptor().release();
      }
    }
  }

  /**
   * The descriptor is marked, and still in use: cancels what is armed, lets go of what has arrived,
   * wakes.
   */
  abstract void closed();
}
