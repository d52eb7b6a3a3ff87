package dev.blitz.io.internal.driver;

import dev.blitz.io.internal.base.UseCounted;
import java.nio.channels.ClosedChannelException;

/**
 * An endpoint that owns a descriptor of this process.
 *
 * @param <D> what stands for the descriptor
 */
public abstract class OwnedEndpoint<D extends UseCounted> implements Endpoint {
  private final D descriptor;

  protected OwnedEndpoint(D descriptor) {
    this.descriptor = descriptor;
  }

  protected final D descriptor() {
    return descriptor;
  }

  /** Begins a use of the descriptor. */
  protected final void use() throws ClosedChannelException {
    if (!descriptor.tryUse()) {
      throw new ClosedChannelException();
    }
  }

  /** How many uses have begun and not ended. */
  public final int users() {
    return descriptor.users();
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
