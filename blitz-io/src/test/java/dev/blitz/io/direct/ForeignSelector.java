package dev.blitz.io.direct;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A selector of the user's: an interrupt of the thread that waits in it calls {@link #wakeup}. */
abstract class ForeignSelector extends AbstractSelector {
  private volatile boolean waiting = true;

  ForeignSelector() {
    super(SelectorProvider.provider());
  }

  /** Waits as if for I/O, until {@link #goOn}. */
  final void waitInside() {
    begin();
    try {
      while (waiting) {
        Thread.onSpinWait();
      }
    } finally {
      end();
    }
  }

  final void goOn() {
    waiting = false;
  }

  @Override
  public abstract Selector wakeup();

  @Override
  protected void implCloseSelector() {}

  @Override
  protected SelectionKey register(AbstractSelectableChannel ch, int ops, Object attachment) {
    throw new UnsupportedOperationException(
        ((SelectableChannel) ch) + " of " + ops + " for " + attachment);
  }

  @Override
  public Set<SelectionKey> keys() {
    return Set.of();
  }

  @Override
  public Set<SelectionKey> selectedKeys() {
    return Set.of();
  }

  @Override
  public int selectNow() {
    return 0;
  }

  @Override
  public int select(long timeout) {
    return select();
  }

  @Override
  public int select() {
    waitInside();
    return 0;
  }
}
