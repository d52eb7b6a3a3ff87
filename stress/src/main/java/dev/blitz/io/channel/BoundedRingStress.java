package dev.blitz.io.channel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The cell of the ring: one sender, one receiver, one close at a time. */
public class BoundedRingStress {

  /** A message with a plain field, to see whether it is published. */
  private static final class Message {
    final int[] content = new int[1];

    Message(int value) {
      content[0] = value;
    }
  }

  private static int read(@Nullable Message message) {
    return message == null ? 0 : message.content[0];
  }

  /** Results: what the receiver got, what is left. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Received, whole")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Came too late, and is there")
  @Outcome(expect = FORBIDDEN, desc = "Lost, doubled or half published")
  @State
  public static class SendAgainstReceive {
    private final BoundedRing<Message> ring = new BoundedRing<>(1);

    @Actor
    public void sender() {
      ring.trySend(new Message(1));
    }

    @Actor
    public void receiver(II_Result r) {
      r.r1 = read(ring.tryReceive());
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = read(ring.tryReceive());
    }
  }

  /** A full ring of one. Results: received, whether the send found room, what is left. */
  @JCStressTest
  @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "The room was there")
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "It was full still")
  @Outcome(expect = FORBIDDEN, desc = "Lost or overwritten")
  @State
  public static class ReuseOfTheCell {
    private final BoundedRing<Message> ring = new BoundedRing<>(1);

    /** One message is in. */
    public ReuseOfTheCell() {
      ring.trySend(new Message(1));
    }

    @Actor
    public void receiver(III_Result r) {
      r.r1 = read(ring.tryReceive());
    }

    @Actor
    public void sender(III_Result r) {
      r.r2 = ring.trySend(new Message(2)) == SendResult.SENT ? 1 : 0;
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = read(ring.tryReceive());
    }
  }

  /** Results: whether it was accepted, what is there in the end, whether that is then the end. */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "Accepted, and received")
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "Refused")
  @Outcome(expect = FORBIDDEN, desc = "A send that raced the close was lost")
  @State
  public static class SendAgainstClose {
    private final BoundedRing<Message> ring = new BoundedRing<>(2);

    @Actor
    public void sender(III_Result r) {
      r.r1 = ring.trySend(new Message(1)) == SendResult.SENT ? 1 : 0;
    }

    @Actor
    public void closer() {
      ring.close();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = read(ring.tryReceive());
      r.r3 = ring.isDrained() ? 1 : 0;
    }
  }

  /** Two receivers and one message: one gets it. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The first")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The second")
  @Outcome(expect = FORBIDDEN, desc = "Nobody, or both")
  @State
  public static class ReceiveAgainstReceive {
    private final BoundedRing<Message> ring = new BoundedRing<>(3);

    /** One message is in. */
    public ReceiveAgainstReceive() {
      ring.trySend(new Message(1));
    }

    @Actor
    public void first(II_Result r) {
      r.r1 = read(ring.tryReceive());
    }

    @Actor
    public void second(II_Result r) {
      r.r2 = read(ring.tryReceive());
    }
  }
}
