package dev.blitz.io.channel;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** A channel that drops its oldest message, where that meets its end or those who wait. */
public class DropOldestStress {

  /** Results: 1 if it was sent; what was dropped; what is left. */
  @JCStressTest
  @Outcome(id = "1, 7, 8", expect = ACCEPTABLE, desc = "Sent before the close, in place of the old")
  @Outcome(id = "0, 0, 7", expect = ACCEPTABLE, desc = "Refused, and the old is still there")
  @Outcome(expect = FORBIDDEN, desc = "The old went although nothing came")
  @State
  public static class SendAgainstClose {
    private final AtomicInteger dropped = new AtomicInteger();
    private final Channel<Integer> channel = Channel.dropOldest(1, dropped::set);

    /** It is full. */
    public SendAgainstClose() {
      channel.trySend(7);
    }

    @Actor
    public void sender(III_Result r) {
      r.r1 = channel.trySend(8) == SendResult.SENT ? 1 : 0;
    }

    @Actor
    public void closer() {
      channel.close();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = dropped.get();
      Integer left = channel.tryReceive();
      r.r3 = left == null ? 0 : left;
    }
  }

  /**
   * The permit is used while the reserve, which will look in vain, takes its old place before a
   * send that could go on. Results: 1 if the send has gone on at once; whether it was woken else.
   */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Woken, and sent")
  @Outcome(expect = FORBIDDEN, desc = "Nobody told the send")
  @State
  public static class ReturnAgainstWakeAll {
    private final Channel<Integer> channel = Channel.dropOldest(1, message -> {});
    private final Permit<Integer> permit = Objects.requireNonNull(channel.tryReserve());
    private final AtomicInteger wakes = new AtomicInteger();
    private final AtomicInteger called = new AtomicInteger();
    private final UncheckedFuture<Permit<Integer>> reserve = channel.reserve();
    private final UncheckedFuture<Done> send = channel.send(8);

    /** Both wait. */
    public ReturnAgainstWakeAll() {
      reserve.poll(Context.of(called::incrementAndGet));
      send.poll(Context.of(wakes::incrementAndGet));
    }

    @Actor
    public void user() {
      permit.send(7);
    }

    @Actor
    public void returner() {
      if (called.get() > 0) {
        reserve.poll(Context.of(called::incrementAndGet));
      }
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = wakes.get();
      r.r1 = send.poll(Context.of(wakes::incrementAndGet)) == null ? 0 : 1;
    }
  }
}
