package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The operations that the Lincheck checks of a channel have in common. */
final class LincheckChannel {
  private final Channel<Integer> channel;
  private final ConcurrentLinkedQueue<Waiting> waiting = new ConcurrentLinkedQueue<>();

  LincheckChannel(Buffer<Integer> buffer) {
    channel = new Channel<>(buffer);
  }

  /** A future that was pending, and whether it has been called since. */
  private static final class Waiting implements Waker {
    private volatile boolean woken;

    @Override
    public void wake() {
      woken = true;
    }
  }

  SendResult trySend(int value) {
    return channel.trySend(value);
  }

  @Nullable Integer tryReceive() {
    return channel.tryReceive();
  }

  /** Polls once; what is pending stays queued. */
  String poll(UncheckedFuture<?> future, boolean drop) {
    var waiter = new Waiting();
    try {
      Object value = future.poll(Context.of(waiter));
      if (value != null) {
        return value.toString();
      }
    } catch (ChannelClosedException e) {
      return "closed";
    }
    if (drop) {
      future.drop();
    } else {
      waiting.add(waiter);
    }
    return "pending";
  }

  String receive(boolean drop) {
    return poll(channel.receive(), drop);
  }

  String send(int value, boolean drop) {
    return poll(channel.send(value), drop);
  }

  void close() {
    channel.close();
  }

  boolean isDrained() {
    return channel.isDrained();
  }

  int length() {
    return channel.length();
  }

  /** Somebody who waits though there is something for it, and nobody was called for it. */
  void nobodyIsForgotten() {
    int queued = channel.receivers.length() + channel.senders.length();
    int asleep = (int) waiting.stream().filter(w -> !w.woken).count();
    if (queued != asleep) {
      throw new IllegalStateException(queued + " are queued, " + asleep + " have not been called");
    }
    if (channel.isClosed() && asleep > 0) {
      throw new IllegalStateException(asleep + " wait for a closed channel");
    }
    int called = waiting.size() - asleep;
    if (channel.receivers.length() > 0 && channel.length() > called) {
      throw new IllegalStateException(
          "receivers wait, " + channel.length() + " messages, " + called + " called");
    }
    if (channel.senders.length() > 0 && !channel.buffer.isFull() && called == 0) {
      throw new IllegalStateException("senders wait beside room, nobody was called");
    }
  }
}
