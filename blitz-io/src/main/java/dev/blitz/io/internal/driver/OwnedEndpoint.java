package dev.blitz.io.internal.driver;

import dev.blitz.io.internal.driver.posix.Descriptor;
import java.nio.channels.ClosedChannelException;

/** An endpoint that owns a descriptor of this process. */
public abstract class OwnedEndpoint implements Endpoint {
  private final Descriptor descriptor;

  protected OwnedEndpoint(Descriptor descriptor) {
    this.descriptor = descriptor;
  }

  protected final Descriptor descriptor() {
    return descriptor;
  }

  /** Begins a use of the descriptor. */
  protected final void use() throws ClosedChannelException {
    if (!descriptor.tryUse()) {
      throw new ClosedChannelException();
    }
  }

  protected final void requireOpen() throws ClosedChannelException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public final boolean isOpen() {
    return descriptor.isOpen();
  }
}
