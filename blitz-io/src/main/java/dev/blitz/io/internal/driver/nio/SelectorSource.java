package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.driver.readiness.EventBits;
import dev.blitz.io.internal.driver.readiness.EventSource;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's selector as a source of events: level-triggered, and what was found is not waited for
 * any more.
 */
/* Implementation notes
 *
 * Ownership. The selector, its keys, and channels that leave are touched only by whoever has the turn: the worker
 * that waits (for all of its wait), one that looks, or one that closes a channel. The JDK's monitors in there are so
 * never fought for, but for the one of Selector.wakeup, which its own lock keeps to one caller at a time. Both
 * locks pin virtual threads: none leaves its carrier with a monitor, or waits for one in a queue.
 *
 * Protocol.
 *   arm    notes the operation in the socket's word, puts the socket into the queue, and wakes the one who sleeps.
 *   serve  takes the queue: registers channels, sets their operations, lets those go that leave. Before each select.
 *   found  takes what was found out of the socket's word, and puts the socket into the queue: the selector is
 *          told by the next serve. Whoever waits again before that sets it again, and nothing changes at all:
 *          a connection that answers each request costs no call for its interest.
 *   leave  The descriptor of a channel stays open while it has a key, and a key stays until a select has removed it.
 *          So the key is cancelled, a select that does not wait is made, and only then the channel is closed. Closing it
 *          first would make the JDK end its output, where the kernel should reset. Whoever closes does that itself,
 *          and wakes the worker that has the turn as long as it has it: when close returns, the port is free. What is
 *          found meanwhile is not taken: it will be found again.
 *
 * Sleeping. IDLE -> SLEEPING by the one who waits, before it serves the queue; -> WOKEN by wake; -> IDLE when it
 * waits no more. Whoever queues something does so before it reads this word: either the sleeper's serve finds it,
 * or it is seen sleeping and woken. WOKEN before the select means not to sleep: the selector's own memory of the wake may be
 * used up by the select of a leave. A wake that calls the selector late ends a later wait for no reason.
 *
 * Failing. There may be no memory for a key, or for an event. A socket that could not be served goes back into the queue, and the others
 * are served all the same; what was found stays in the batch, which its worker delivers before it waits again.
 *
 * A channel that cannot be registered any more (the JDK has closed it, because a connect failed) counts as found: the
 * call that follows tells why. Without a batch at hand it goes back into the queue.
 */
final class SelectorSource implements EventSource, Consumer<SelectionKey> {
  private static final int IDLE = 0;
  private static final int SLEEPING = 1;
  private static final int WOKEN = 2;

  private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final Selector selector;
  private final PinnedLock turn = new PinnedLock();
  private final PinnedLock waking = new PinnedLock();
  private final AtomicInteger sleep = new AtomicInteger();
  private final AtomicReference<@Nullable NioSocket<?>> queue = new AtomicReference<>();

  /** Where what is found goes, if anybody wants it; under the turn. */
  private @Nullable SelectorEvents into;

  /** Under the turn. */
  private boolean closed;

  SelectorSource(Selector selector) {
    this.selector = selector;
  }

  static SelectorSource open() throws IOException {
    return new SelectorSource(Selector.open());
  }

  @Override
  public Events newEvents() {
    return new SelectorEvents();
  }

  // --- Waiting ---

  @Override
  public void await(Events batch, long nanos) {
    batch.clear();
    for (int looks = 1; !turn.tryLock(); looks++) {
      PinnedLock.lockedOut(false, looks); // nobody else keeps it for long
    }
    try {
      Thread.interrupted(); // nobody may interrupt a worker to any effect: the flag would end each
      // wait
      boolean sleeps = sleep.compareAndSet(IDLE, SLEEPING);
      try {
        select((SelectorEvents) batch, sleeps ? nanos : 0);
      } finally {
        sleep.set(IDLE);
        Thread.interrupted();
      }
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void look(Events batch) {
    batch.clear();
    if (turn.tryLock()) { // else the one who has it finds what there is
      try {
        select((SelectorEvents) batch, 0);
      } finally {
        turn.unlock();
      }
    }
  }

  /** Under the turn. */
  private void select(SelectorEvents batch, long nanos) {
    if (closed) {
      return;
    }
    into = batch;
    try {
      switch (serve()) {
        case Error e -> throw e;
        case RuntimeException e -> throw e;
        case null, default -> {}
      }
      // A wake that came while the queue was served may have been used up by a select in there.
      if (nanos == 0 || batch.count() > 0 || sleep.get() == WOKEN) {
        selector.selectNow(this);
      } else {
        selector.select(this, nanos < 0 ? 0 : (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
      }
    } catch (IOException e) {
      throw new IllegalStateException("select: " + e.getMessage(), e);
    } finally {
      into = null;
    }
  }

  /** Something was found: called by the selector, under the turn. */
  @Override
  public void accept(SelectionKey key) {
    SelectorEvents batch = into;
    if (batch == null) {
      return; // it will be found again
    }
    var socket = (NioSocket<?>) key.attachment();
    batch.reserve();
    int ready;
    try {
      ready = key.readyOps();
    } catch (CancelledKeyException e) {
      found(socket, batch);
      return;
    }
    if (socket.interest().told(ready) == InterestState.Next.QUEUE) {
      push(socket);
    }
    batch.add(socket.key(), bits(ready));
  }

  private static int bits(int ready) {
    int bits = 0;
    if ((ready & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0) {
      bits |= EventBits.READABLE;
    }
    if ((ready & (SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT)) != 0) {
      bits |= EventBits.WRITABLE;
    }
    return bits;
  }

  /** It is of no use any more: all who wait try their calls. */
  private void found(NioSocket<?> socket, SelectorEvents batch) {
    if (socket.interest().told(InterestState.OPERATIONS) == InterestState.Next.QUEUE) {
      push(socket);
    }
    batch.add(socket.key(), EventBits.ERROR);
  }

  @Override
  public void wake() {
    if (sleep.getAndSet(WOKEN) == SLEEPING) {
      waking.lock();
      try {
        selector.wakeup();
      } finally {
        waking.unlock();
      }
    }
  }

  // --- The queue ---

  /** Lets the next change of {@code operations} be found, and what is already the case. */
  void arm(NioSocket<?> socket, int operations) {
    var next = socket.interest().arm(operations);
    if (next == InterestState.Next.QUEUE) {
      push(socket);
    }
    if (next != InterestState.Next.NONE) {
      wakeSleeper();
    }
  }

  private void wakeSleeper() {
    if (sleep.get() == SLEEPING) {
      wake();
    }
  }

  private void push(NioSocket<?> socket) {
    NioSocket<?> head;
    do {
      head = queue.get();
      socket.next = head;
    } while (!queue.compareAndSet(head, socket));
  }

  /**
   * Tells the selector what has changed; under the turn.
   *
   * @return what failed with some of it, which is in the queue again: the others have been served
   */
  private @Nullable Throwable serve() {
    NioSocket<?> leaving = null;
    Throwable failure = null;
    NioSocket<?> socket = queue.getAndSet(null);
    while (socket != null) {
      NioSocket<?> following = socket.next; // before it can be put into the queue again
      if (socket.interest().dequeue()) {
        socket.next = leaving; // nobody else puts it anywhere any more
        leaving = socket;
      } else {
        try {
          if (!tell(socket)) {
            refuse(socket);
          }
        } catch (RuntimeException | Error e) { // no memory
          failure = e;
          if (socket.interest().told(0) == InterestState.Next.QUEUE) {
            push(socket);
          }
        }
      }
      socket = following;
    }
    if (leaving != null) {
      letGo(leaving);
    }
    return failure;
  }

  /** Whether the selector has been told what the socket waits for. */
  private boolean tell(NioSocket<?> socket) {
    try {
      int operations = socket.interest().operations();
      SelectionKey key = socket.selected;
      if (key != null) {
        key.interestOps(operations);
      } else if (operations != 0) {
        socket.selected = socket.channel().register(selector, operations, socket);
      }
      return true;
    } catch (ClosedChannelException | CancelledKeyException e) {
      return false;
    }
  }

  private void refuse(NioSocket<?> socket) {
    if (socket.interest().operations() == 0) {
      return; // nobody waits
    }
    SelectorEvents batch = into;
    if (batch != null) {
      batch.reserve();
      found(socket, batch);
    } else if (socket.interest().told(0) == InterestState.Next.QUEUE) {
      push(socket);
    }
  }

  /**
   * Takes those sockets out, and closes them; under the turn. Each is gone after that, whatever
   * fails.
   */
  private void letGo(NioSocket<?> first) {
    try {
      for (NioSocket<?> s = first; s != null; s = s.next) {
        SelectionKey key = s.selected;
        if (key != null) {
          key.cancel();
        }
      }
      SelectorEvents batch = into;
      into = null;
      try {
        selector.selectNow(this); // removes the keys
      } finally {
        into = batch;
      }
    } catch (IOException | RuntimeException | Error e) { // then the JDK closes them later
      FailureLog.log("taking sockets out of their selector", e);
    } finally {
      NioSocket<?> s = first;
      while (s != null) {
        NioSocket<?> following = s.next;
        s.next = null;
        s.selected = null;
        try {
          s.closeChannel();
        } catch (RuntimeException | Error e) { // the others all the same
          FailureLog.log("closing a socket", e);
        }
        s = following;
      }
    }
  }

  /** The socket has had its last use: it is closed when this returns. */
  void leave(NioSocket<?> socket) {
    if (socket.interest().leave() == InterestState.Next.QUEUE) {
      push(socket);
    }
    for (int looks = 1; !socket.isGone(); looks++) {
      if (turn.tryLock()) {
        try {
          if (closed) {
            socket.closeChannel();
          } else {
            serve(); // what fails with others is told to whoever waits next
          }
        } finally {
          turn.unlock();
        }
      } else {
        wakeSleeper();
        PinnedLock.lockedOut(false, looks);
      }
    }
  }

  @Override
  public void close() {
    for (int looks = 1; !turn.tryLock(); looks++) {
      wakeSleeper();
      PinnedLock.lockedOut(false, looks);
    }
    try {
      if (!closed) {
        serve();
        closed = true;
        selector.close();
      }
    } catch (IOException | ClosedSelectorException e) {
      FailureLog.log("closing a selector", e);
    } finally {
      turn.unlock();
    }
  }
}
