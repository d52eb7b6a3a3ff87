package dev.blitz.io.internal.driver.nio;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** A selector that finds all that is asked for, and has no memory when a test wants it so. */
final class ForgetfulSelector extends AbstractSelector {
  private final Set<SelectionKey> keys = new LinkedHashSet<>();

  /** How many channels can be registered before it has no memory for another; then it has again. */
  int registrations = Integer.MAX_VALUE;

  /** How many are found before it has no memory. */
  int findings = Integer.MAX_VALUE;

  ForgetfulSelector() {
    super(null);
  }

  private final class Key extends AbstractSelectionKey {
    private final SelectableChannel channel;
    private int operations;

    Key(SelectableChannel channel, int operations) {
      this.channel = channel;
      this.operations = operations;
    }

    @Override
    public SelectableChannel channel() {
      return channel;
    }

    @Override
    public Selector selector() {
      return ForgetfulSelector.this;
    }

    @Override
    public int interestOps() {
      return operations;
    }

    @Override
    public SelectionKey interestOps(int wanted) {
      operations = wanted;
      return this;
    }

    @Override
    public int readyOps() {
      return operations;
    }
  }

  @Override
  protected SelectionKey register(
      AbstractSelectableChannel channel, int operations, Object attachment) {
    if (registrations-- == 0) {
      registrations = Integer.MAX_VALUE;
      throw new InternalError("as a test wants it");
    }
    var key = new Key(channel, operations);
    key.attach(attachment);
    keys.add(key);
    return key;
  }

  @Override
  public int select(Consumer<SelectionKey> action, long timeout) {
    return selectNow(action);
  }

  @Override
  public int selectNow(Consumer<SelectionKey> action) {
    Set<SelectionKey> cancelled = cancelledKeys();
    synchronized (cancelled) {
      for (SelectionKey key : cancelled) {
        keys.remove(key);
        deregister((AbstractSelectionKey) key);
      }
      cancelled.clear();
    }
    int found = 0;
    for (SelectionKey key : new HashSet<>(keys)) {
      if (key.interestOps() != 0) {
        if (findings-- == 0) {
          findings = Integer.MAX_VALUE;
          throw new InternalError("as a test wants it");
        }
        action.accept(key);
        found++;
      }
    }
    return found;
  }

  @Override
  protected void implCloseSelector() {}

  @Override
  public Set<SelectionKey> keys() {
    return keys;
  }

  @Override
  public Set<SelectionKey> selectedKeys() {
    return Set.of();
  }

  @Override
  public int selectNow() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int select(long timeout) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int select() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Selector wakeup() {
    return this;
  }
}
