package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Those who wait are called in the order in which they came, whatever happens in between. */
@Strict
@OnceIsEnough
class WaitOrderTest {
  private static final int WAITERS = 3;

  @Test
  void twoThatWereWokenInVain_keepTheirOrder() {
    Channel<Integer> channel = Channel.bounded(4);
    var first = Polls.of(channel.receive());
    var second = Polls.of(channel.receive());
    first.poll();
    second.poll();
    channel.trySend(1);
    channel.trySend(2);
    channel.tryReceive();
    channel.tryReceive();
    assertThat(first.poll()).isNull();
    assertThat(second.poll()).isNull();
    channel.trySend(3);
    assertThat(first.wakes()).isEqualTo(2);
    assertThat(second.wakes()).isEqualTo(1);
    assertThat(first.poll()).isEqualTo(3);
    second.drop();
  }

  @Test
  void anyNumberThatComeBack_takeTheirOldPlaces() {
    Channel<Integer> channel = Channel.bounded(4_000);
    List<Polls<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      var w = Polls.of(channel.receive());
      w.poll();
      waiting.add(w);
    }
    for (int i = 0; i < 1_500; i++) {
      channel.trySend(i);
    }
    channel.tryReceiveMany(1_500);
    for (int i = 1_499; i >= 0; i--) { // in any order
      assertThat(waiting.get((i * 7) % 1_500).poll()).isNull();
    }
    for (int i = 0; i < 2_000; i++) {
      channel.trySend(i);
      assertThat(waiting.get(i).wakes()).isEqualTo(i < 1_500 ? 2 : 1);
    }
    for (int i = 0; i < 2_000; i++) {
      assertThat(waiting.get(i).poll()).isEqualTo(i);
    }
  }

  /** Every sequence of so many steps, against a model of who is queued. */
  @Test
  void everyShortSequence_callsTheOldest() {
    int ops = 2 * WAITERS + 2;
    int length = 7;
    long all = (long) Math.pow(ops, length);
    for (long n = 0; n < all; n++) {
      var model = new Model();
      long rest = n;
      for (int i = 0; i < length; i++) {
        if (!model.step((int) (rest % ops))) {
          break; // a step that does nothing: the shorter sequence was tried
        }
        rest /= ops;
      }
    }
  }

  private static final class Model {
    private final Channel<Integer> channel = Channel.bounded(8);
    private final List<@Nullable Polls<Integer>> waiters = new ArrayList<>();
    private final List<Integer> arrived = new ArrayList<>();
    private final boolean[] queued = new boolean[WAITERS];
    private final int[] wakes = new int[WAITERS];
    private int messages;

    Model() {
      for (int i = 0; i < WAITERS; i++) {
        waiters.add(Polls.of(channel.receive()));
      }
    }

    boolean step(int op) {
      if (op == 0) {
        int next = oldestQueued();
        channel.trySend(1);
        messages++;
        for (int i = 0; i < WAITERS; i++) {
          assertWoken(i, i == next ? 1 : 0);
        }
        if (next >= 0) {
          queued[next] = false;
        }
        return true;
      }
      if (op == 1) {
        boolean taken = channel.tryReceive() != null;
        if (taken != messages > 0) {
          throw new AssertionError("a message, or none: " + messages);
        }
        messages -= taken ? 1 : 0;
        return taken;
      }
      int w = (op - 2) % WAITERS;
      Polls<Integer> waiter = waiters.get(w);
      if (waiter == null) {
        return false;
      }
      if (op - 2 < WAITERS) {
        poll(w, waiter);
      } else {
        drop(w, waiter);
      }
      return true;
    }

    private void poll(int w, Polls<Integer> waiter) {
      boolean asleep = queued[w];
      Integer message = waiter.poll();
      if ((message != null) != (!asleep && messages > 0)) {
        throw new AssertionError("waiter " + w + " got " + message);
      }
      if (message != null) {
        messages--;
        waiters.set(w, null);
        arrived.remove(Integer.valueOf(w));
      } else {
        queued[w] = true;
        if (!arrived.contains(w)) {
          arrived.add(w);
        }
      }
    }

    private void drop(int w, Polls<Integer> waiter) {
      boolean passesOn = arrived.contains(w) && !queued[w] && messages > 0;
      queued[w] = false;
      int next = passesOn ? oldestQueued() : -1;
      waiter.drop();
      waiters.set(w, null);
      arrived.remove(Integer.valueOf(w));
      for (int i = 0; i < WAITERS; i++) {
        assertWoken(i, i == next ? 1 : 0);
      }
      if (next >= 0) {
        queued[next] = false;
      }
    }

    private int oldestQueued() {
      for (int w : arrived) {
        if (queued[w]) {
          return w;
        }
      }
      return -1;
    }

    private void assertWoken(int i, int more) {
      Polls<Integer> waiter = waiters.get(i);
      if (waiter != null) {
        if (waiter.wakes() != wakes[i] + more) {
          throw new AssertionError(
              "waiter " + i + ": " + waiter.wakes() + " wakes, not " + more + " more");
        }
        wakes[i] += more;
      }
    }
  }
}
