package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.internal.base.UseCounted;
import dev.blitz.io.internal.driver.LingeringSockets;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A channel that is closed after its last use, and its place in the selector. So the JDK never sees
 * a close beside a call, for which it would make one of the two wait, and a close that lingers is
 * made by a thread that may wait.
 *
 * @param <C> the channel's kind
 */
final class NioSocket<C extends SelectableChannel & NetworkChannel> extends UseCounted
    implements LingeringSockets.Bound {
  private final NioDriver driver;
  private final InterestState interest = new InterestState();

  /** Another one only while nobody has waited for it; written by the one who connects. */
  private volatile C channel;

  /** Its number with the driver; written once, before anybody waits. */
  private long key;

  /** Whether a close may wait; as {@link #resets} written while in use, and read after that. */
  private volatile boolean lingers;

  private volatile boolean resets;
  private volatile boolean bound;
  private volatile boolean gone;

  /** In the selector's queue; whoever has put it there, then who has the selector's turn. */
  @Nullable NioSocket<?> next;

  /** Under the selector's turn. */
  @Nullable SelectionKey selected;

  NioSocket(NioDriver driver, C channel) {
    this.driver = driver;
    this.channel = channel;
  }

  C channel() {
    return channel;
  }

  /** The JDK has closed the channel that was not connected: another one takes its place. */
  void replace(C fresh) {
    channel = fresh;
  }

  InterestState interest() {
    return interest;
  }

  long key() {
    return key;
  }

  void knownAs(long number) {
    key = number;
  }

  /** Whether its close waits until all has been sent, or for some time. */
  void lingers(boolean now) {
    lingers = now;
  }

  /** Its close must be a reset: somebody took bytes from the kernel that nobody has read. */
  void closesByReset() {
    resets = true;
  }

  /** It has been given an address; while in use. */
  void markBound() {
    bound = true;
  }

  @Override
  public boolean isBound() {
    return bound;
  }

  /** Whether it has been closed, or that is somebody else's matter by now. */
  @Override
  public boolean isGone() {
    return gone;
  }

  @Override
  protected void closeUnused() {
    SelectorSource source = interest.wasArmed() ? driver.openedSource() : null;
    if (source == null) {
      closeChannel();
    } else {
      source.leave(this);
    }
  }

  /** The selector does not know it any more. */
  void closeChannel() {
    try {
      closeNow();
    } finally {
      gone = true;
    }
  }

  private void closeNow() {
    if (!lingers || resets) {
      closeHere(resets ? 0 : null);
      return;
    }
    boolean taken = false;
    Predicate<Runnable> elsewhere = driver.closers();
    try {
      taken = elsewhere.test(() -> closeHere(null));
    } finally {
      if (!taken) {
        closeHere(-1); // nobody is left who could wait: what was written is sent all the same
      }
    }
  }

  private void closeHere(@Nullable Integer linger) {
    C open = channel;
    try (open) {
      if (linger != null && open.isOpen()) {
        open.setOption(StandardSocketOptions.SO_LINGER, linger);
      }
    } catch (IOException e) {
      // As with any close: nobody could do anything about it.
    }
  }

  @Override
  public String toString() {
    return channel + ", " + interest + usage();
  }
}
