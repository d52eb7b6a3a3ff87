package dev.blitz.io.channel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The waiting flag against what is waited for. */
public class ChannelWakeStress {

  /** Results: what the receive got, 0 for pending; how often it was woken. */
  @JCStressTest
  @Outcome(id = "7, 0", expect = ACCEPTABLE, desc = "The message was there")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Waited, and was woken")
  @Outcome(expect = FORBIDDEN, desc = "Waits beside a message, or was woken in vain")
  @State
  public static class ReceiveAgainstSend {
    private final Channel<Integer> channel = Channel.bounded(1);
    private final AtomicInteger wakes = new AtomicInteger();

    @Actor
    public void sender() {
      channel.trySend(7);
    }

    @Actor
    public void receiver(II_Result r) {
      Integer message = channel.receive().poll(Context.of(wakes::incrementAndGet));
      r.r1 = message == null ? 0 : message;
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = wakes.get();
    }
  }

  /** The same for the room that a receive makes. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "There was room")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Waited, and was woken")
  @Outcome(expect = FORBIDDEN, desc = "Waits beside room, or was woken in vain")
  @State
  public static class SendAgainstReceive {
    private final Channel<Integer> channel = Channel.bounded(1);
    private final AtomicInteger wakes = new AtomicInteger();

    /** It is full. */
    public SendAgainstReceive() {
      channel.trySend(7);
    }

    @Actor
    public void sender(II_Result r) {
      Done done = channel.send(8).poll(Context.of(wakes::incrementAndGet));
      r.r1 = done == null ? 0 : 1;
    }

    @Actor
    public void receiver() {
      channel.tryReceive();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = wakes.get();
    }
  }

  /** Results: how the receive ended, 2 for closed; how often it was woken. */
  @JCStressTest
  @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "It was closed")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Waited, and was woken")
  @Outcome(expect = FORBIDDEN, desc = "Waits for a closed channel")
  @State
  public static class ReceiveAgainstClose {
    private final Channel<Integer> channel = Channel.bounded(1);
    private final AtomicInteger wakes = new AtomicInteger();

    @Actor
    public void closer() {
      channel.close();
    }

    @Actor
    public void receiver(II_Result r) {
      try {
        r.r1 = channel.receive().poll(Context.of(wakes::incrementAndGet)) == null ? 0 : 1;
      } catch (ChannelClosedException e) {
        r.r1 = 2;
      }
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = wakes.get();
    }
  }

  /** A receive that waits is dropped while the message comes; another waits behind it. */
  @JCStressTest
  @Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "The other was woken, and has it")
  @Outcome(expect = FORBIDDEN, desc = "The dropped one swallowed the wake")
  @State
  public static class DropAgainstSend {
    private final Channel<Integer> channel = Channel.bounded(1);
    private final AtomicInteger wakes = new AtomicInteger();
    private final UncheckedFuture<Integer> dropped = channel.receive();
    private final UncheckedFuture<Integer> other = channel.receive();

    /** Both wait. */
    public DropAgainstSend() {
      Integer none = dropped.poll(Context.of(() -> {}));
      Integer neither = other.poll(Context.of(wakes::incrementAndGet));
      if (none != null || neither != null) {
        throw new IllegalStateException("nothing was sent");
      }
    }

    @Actor
    public void sender() {
      channel.trySend(7);
    }

    @Actor
    public void owner() {
      dropped.drop();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = wakes.get();
      Integer message = other.poll(Context.of(() -> {}));
      r.r2 = message == null ? 0 : message;
    }
  }

  /** Results: what the receive got; how often it was woken. */
  @JCStressTest
  @Outcome(id = "7, 0", expect = ACCEPTABLE, desc = "The value was there")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Waited, and was woken")
  @Outcome(id = "7, 1", expect = ACCEPTABLE, desc = "It came while the receive was queueing")
  @Outcome(expect = FORBIDDEN, desc = "Waits for ever")
  @State
  public static class OneshotReceiveAgainstSend {
    private final Oneshot<Integer> oneshot = Oneshot.create();
    private final AtomicInteger wakes = new AtomicInteger();

    @Actor
    public void sender() {
      oneshot.send(7);
    }

    @Actor
    public void receiver(II_Result r) {
      Integer value = oneshot.receive().poll(Context.of(wakes::incrementAndGet));
      r.r1 = value == null ? 0 : value;
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = wakes.get();
    }
  }

  /** Results: whether it was sent; what is there. */
  @JCStressTest
  @Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "Sent before the close, and there")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Closed before")
  @Outcome(expect = FORBIDDEN, desc = "Lost")
  @State
  public static class OneshotSendAgainstClose {
    private final Oneshot<Integer> oneshot = Oneshot.create();

    @Actor
    public void sender(II_Result r) {
      r.r1 = oneshot.trySend(7) == SendResult.SENT ? 1 : 0;
    }

    @Actor
    public void closer() {
      oneshot.close();
    }

    @Arbiter
    public void after(II_Result r) {
      Integer value = oneshot.tryReceive();
      r.r2 = value == null ? 0 : value;
    }
  }

  /** A broadcast slot is overwritten while it is read. Results: a message, or -n for n missed. */
  @JCStressTest
  @Outcome(id = "1, -1", expect = ACCEPTABLE, desc = "Read before it was overwritten")
  @Outcome(id = "-1, -1", expect = ACCEPTABLE, desc = "Missed one, and another one")
  @Outcome(id = "-2, 3", expect = ACCEPTABLE, desc = "Missed two, then the one that is left")
  @Outcome(expect = FORBIDDEN, desc = "Read what was not its own")
  @State
  public static class BroadcastReadAgainstOverwrite {
    private final Broadcast<Integer> broadcast = Broadcast.create(1);
    private final BroadcastReceiver<Integer> receiver = broadcast.subscribe();

    /** One message is there. */
    public BroadcastReadAgainstOverwrite() {
      broadcast.send(1);
    }

    @Actor
    public void sender() {
      broadcast.send(2);
      broadcast.send(3); // into the slot of the first
    }

    @Actor
    public void receiver(II_Result r) {
      r.r1 = receive();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = receive();
    }

    private int receive() {
      try {
        Integer message = receiver.tryReceive();
        return message == null ? 0 : message;
      } catch (LaggedException e) {
        return (int) -e.missed();
      }
    }
  }
}
