package dev.blitz.io.channel;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Operations of channels at each level of a runaway recursion. An operation that throws has done
 * nothing; one that returned has done all of it. Afterwards the channel works, and the counts add
 * up. A main class, because the JVM's compiler decides how deep a call is.
 */
public final class OverflowPrograms {
  private static final int STACK_BYTES = 200_000;

  private OverflowPrograms() {}

  /** One operation, done at each level, and what must hold in the end. */
  interface Scenario {
    void step();

    void check();
  }

  interface Maker {
    Scenario make();
  }

  /** Counts by bytecodes alone: a call could overflow between the operation and the count. */
  abstract static class Counting implements Scenario {
    int done;

    static void same(String what, long expected, long actual) {
      if (expected != actual) {
        throw new AssertionError(what + ": expected " + expected + ", was " + actual);
      }
    }
  }

  static Map<String, Maker> all() {
    var all = new TreeMap<String, Maker>();
    all.put("trySend", () -> sending(Channel.bounded(1_000)));
    all.put("trySend, unbounded", () -> sending(new Channel<>(new SegmentedBuffer<>(2, 0))));
    all.put("trySend, waited for", () -> sendingToWaiters(Channel.bounded(1_000)));
    all.put("tryReceive", () -> receiving(Channel.bounded(1_000)));
    all.put("tryReceive, unbounded", () -> receiving(new Channel<>(new SegmentedBuffer<>(2, 0))));
    all.put("tryReceive, waited for", OverflowPrograms::receivingForWaiters);
    all.put("permits", () -> reserving(Channel.bounded(100)));
    all.put("permits, unbounded", () -> reserving(new Channel<>(new SegmentedBuffer<>(2, 0))));
    all.put("handles", OverflowPrograms::handles);
    all.put("close", OverflowPrograms::closing);
    all.put("receive", OverflowPrograms::waiting);
    all.put("receive, not dropped", OverflowPrograms::waitingInVain);
    all.put("next", () -> takingNext(Channel.bounded(1_000)));
    all.put("next, unbounded", () -> takingNext(new Channel<>(new SegmentedBuffer<>(2, 0))));
    all.put("receiveMany", OverflowPrograms::takingMany);
    all.put("dropOldest", OverflowPrograms::dropping);
    all.put("oneshot", OverflowPrograms::oneshots);
    all.put("oneshot, closed", OverflowPrograms::oneshotsClosing);
    all.put("oneshot, receive not dropped", OverflowPrograms::oneshotInVain);
    all.put("broadcast", OverflowPrograms::broadcasting);
    all.put("broadcast, received", OverflowPrograms::hearing);
    all.put("broadcast, waited for", OverflowPrograms::tellingWaiters);
    all.put("broadcast, next", OverflowPrograms::hearingNext);
    all.put("watch", OverflowPrograms::watching);
    all.put("watch, unwatched", OverflowPrograms::watchersLeaving);
    all.put("watch, waitFor", OverflowPrograms::waitingFor);
    all.put("watch, waited for", OverflowPrograms::showingWaiters);
    return all;
  }

  static final class Waiting<T> {
    final UncheckedFuture<T> future;
    final AtomicInteger wakes = new AtomicInteger();

    Waiting(UncheckedFuture<T> future) {
      this.future = future;
    }

    @Nullable T poll() {
      return future.poll(Context.of(wakes::incrementAndGet));
    }
  }

  private static Scenario sending(Channel<Integer> channel) {
    return new Counting() {
      @Override
      public void step() {
        if (channel.trySend(1) == SendResult.SENT) {
          done++;
        }
      }

      @Override
      public void check() {
        same("length", done, channel.length());
        while (channel.tryReceive() != null) {
          done--;
        }
        same("left", 0, done);
        works(channel);
      }
    };
  }

  private static void works(Channel<Integer> channel) {
    var receive = new Waiting<>(channel.receive());
    Counting.same("nothing there", 1, receive.poll() == null ? 1 : 0);
    channel.trySend(7);
    Counting.same("woken", 1, receive.wakes.get());
    Integer got = receive.poll();
    Counting.same("received", 7, got == null ? -1 : got);
    Counting.same("waiters", 0, channel.receivers.length() + channel.senders.length());
    channel.close();
    Counting.same("drained", 1, channel.isDrained() ? 1 : 0);
  }

  private static Scenario sendingToWaiters(Channel<Integer> channel) {
    List<Waiting<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      var w = new Waiting<>(channel.receive());
      w.poll();
      waiting.add(w);
    }
    return new Counting() {
      @Override
      public void step() {
        if (channel.trySend(1) == SendResult.SENT) {
          done++;
        }
      }

      @Override
      public void check() {
        int received = 0;
        int woken = 0;
        for (var w : waiting) {
          if (w.wakes.get() > 0) {
            woken++;
            received += w.poll() == null ? 0 : 1;
          }
          w.future.drop();
        }
        same("all that had to be were woken", 1, woken >= done ? 1 : 0);
        same("received", done, received);
        works(channel);
      }
    };
  }

  private static Scenario receiving(Channel<Integer> channel) {
    int sent = 0;
    while (sent < 1_000 && channel.trySend(sent) == SendResult.SENT) {
      sent++;
    }
    int all = sent;
    return new Counting() {
      @Override
      public void step() {
        Integer message = channel.tryReceive();
        if (message != null) {
          done++;
        }
      }

      @Override
      public void check() {
        same("left", all - done, channel.length());
        Integer next = channel.tryReceive();
        same("the next", done == all ? -1 : done, next == null ? -1 : next);
        while (channel.tryReceive() != null) {}
        works(channel);
      }
    };
  }

  private static Scenario receivingForWaiters() {
    Channel<Integer> channel = Channel.bounded(1_000);
    for (int i = 0; i < 1_000; i++) {
      channel.trySend(i);
    }
    List<Waiting<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      var w = new Waiting<>(channel.send(i));
      w.poll();
      waiting.add(w);
    }
    return new Counting() {
      @Override
      public void step() {
        if (channel.tryReceive() != null) {
          done++;
        }
      }

      @Override
      public void check() {
        int woken = 0;
        for (var w : waiting) {
          if (w.wakes.get() > 0) {
            woken += w.poll() == null ? 0 : 1;
          }
          w.future.drop();
        }
        same("sent", done, woken);
        same("length", 1_000, channel.length());
        while (channel.tryReceive() != null) {}
        works(channel);
      }
    };
  }

  private static Scenario reserving(Channel<Integer> channel) {
    List<Permit<Integer>> spare = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      spare.add(channel.tryReserve());
    }
    return new Counting() {
      private @Nullable Permit<Integer> held;
      private int sent;

      @Override
      public void step() {
        if (held == null) {
          held = channel.tryReserve();
        }
        if (held != null) {
          if ((done & 1) == 0) {
            held.close();
          } else {
            held.send(1);
            sent++;
          }
          held = null;
          done++;
        }
      }

      @Override
      public void check() {
        if (held != null) {
          held.close();
        }
        spare.forEach(Permit::close);
        same("sent", sent, channel.length());
        while (channel.tryReceive() != null) {}
        works(channel);
      }
    };
  }

  private static Scenario handles() {
    Channel<Integer> channel = Channel.bounded(4);
    Sender<Integer> first = channel.sender();
    return new Counting() {
      private @Nullable Sender<Integer> held;

      @Override
      public void step() {
        if (held == null) {
          held = first.copy();
        }
        held.close();
        held = null;
      }

      @Override
      public void check() {
        if (held != null) {
          held.close();
        }
        same("open", 0, channel.isClosed() ? 1 : 0);
        first.close();
        same("closed", 1, channel.isClosed() ? 1 : 0);
      }
    };
  }

  private static Scenario closing() {
    List<Channel<Integer>> channels = new ArrayList<>();
    List<Waiting<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Channel<Integer> channel = Channel.bounded(1);
      channels.add(channel);
      var w = new Waiting<>(channel.receive());
      w.poll();
      waiting.add(w);
    }
    return new Counting() {
      @Override
      public void step() {
        if (done < 2_000) {
          channels.get(done).close();
          done++;
        }
      }

      @Override
      public void check() {
        for (int i = 0; i < 2_000; i++) {
          channels.get(i).close();
          same("woken " + i, 1, waiting.get(i).wakes.get());
          try {
            same("ended", 0, waiting.get(i).poll() == null ? 1 : 2);
          } catch (ChannelClosedException e) {
            same("waiters", 0, channels.get(i).receivers.length());
          }
        }
      }
    };
  }

  private static Scenario waiting() {
    Channel<Integer> channel = Channel.bounded(4);
    return new Counting() {
      private final Waiting<?>[] late = new Waiting<?>[10];
      private int n;

      @Override
      public void step() {
        var w = new Waiting<>(channel.receive());
        try {
          w.poll();
        } finally {
          try {
            w.future.drop();
          } catch (StackOverflowError e) {
            late[n] = w; // it could not even be called
            n++;
          }
        }
      }

      @Override
      public void check() {
        for (int i = 0; i < n; i++) {
          late[i].future.drop();
        }
        same("queued", 0, channel.receivers.length());
        works(channel);
      }
    };
  }

  /** As the contract has it: what has thrown is not dropped. */
  private static Scenario waitingInVain() {
    Channel<Integer> channel = Channel.bounded(4);
    Context cx = Context.of(() -> {});
    return new Counting() {
      private final UncheckedFuture<?>[] late = new UncheckedFuture<?>[10];
      private int n;

      @Override
      public void step() {
        var receive = channel.receive();
        receive.poll(cx);
        late[n] = receive; // in case it cannot be called
        n++;
        receive.drop();
        n--;
      }

      @Override
      public void check() {
        for (int i = 0; i < n; i++) {
          late[i].drop();
        }
        same("queued", 0, channel.receivers.length());
        works(channel);
      }
    };
  }

  private static Scenario takingNext(Channel<Integer> channel) {
    int sent = 0;
    while (sent < 1_000 && channel.trySend(sent) == SendResult.SENT) {
      sent++;
    }
    int all = sent;
    Context cx = Context.of(() -> {});
    return new Counting() {
      @Override
      public void step() {
        if (done < all) {
          var next = channel.next();
          if (next.poll(cx) != null) {
            done++;
          }
        }
      }

      @Override
      public void check() {
        same("left", all - done, channel.length());
        while (channel.tryReceive() != null) {}
        works(channel);
      }
    };
  }

  private static Scenario takingMany() {
    Channel<Integer> channel = Channel.bounded(4_000);
    for (int i = 0; i < 4_000; i++) {
      channel.trySend(i);
    }
    Context cx = Context.of(() -> {});
    return new Counting() {
      private final Object[] taken = new Object[1_900];

      @Override
      public void step() {
        if (done < 1_900) { // there is always something
          var many = channel.receiveMany(2);
          Object messages = many.poll(cx);
          if (messages != null) {
            taken[done] = messages;
            done++;
          }
        }
      }

      @Override
      public void check() {
        int received = 0;
        for (int i = 0; i < done; i++) {
          received += ((List<?>) taken[i]).size();
        }
        same("left", 4_000 - received, channel.length());
        while (channel.tryReceive() != null) {}
        works(channel);
      }
    };
  }

  private static Scenario dropping() {
    var dropped = new int[1];
    Channel<Integer> channel = Channel.dropOldest(4, old -> dropped[0]++);
    return new Counting() {
      @Override
      public void step() {
        if (channel.trySend(1) == SendResult.SENT) {
          done++;
        }
      }

      @Override
      public void check() {
        same("sent", done, channel.length() + dropped[0]);
        while (channel.tryReceive() != null) {}
        works(channel);
      }
    };
  }

  private static Scenario oneshotsClosing() {
    List<Oneshot<Integer>> all = new ArrayList<>();
    List<Waiting<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Oneshot<Integer> oneshot = Oneshot.create();
      if (i % 2 == 0) {
        oneshot.send(i);
      }
      all.add(oneshot);
      var w = new Waiting<>(oneshot.closed());
      w.poll();
      waiting.add(w);
    }
    return new Counting() {
      @Override
      public void step() {
        if (done < 2_000) {
          if (done % 2 == 0) {
            all.get(done).tryReceive();
          } else {
            all.get(done).close();
          }
          done++;
        }
      }

      @Override
      public void check() {
        for (int i = 0; i < 2_000; i++) {
          same("woken " + i, i < done ? 1 : 0, waiting.get(i).wakes.get());
          all.get(i).tryReceive();
          all.get(i).close();
          same("ended", 1, waiting.get(i).poll() == null ? 0 : 1);
        }
      }
    };
  }

  private static Scenario oneshotInVain() {
    Oneshot<Integer> oneshot = Oneshot.create();
    Context cx = Context.of(() -> {});
    return new Counting() {
      private final UncheckedFuture<?>[] late = new UncheckedFuture<?>[10];
      private int n;

      @Override
      public void step() {
        var receive = oneshot.receive();
        receive.poll(cx);
        late[n] = receive;
        n++;
        receive.drop();
        n--;
      }

      @Override
      public void check() {
        for (int i = 0; i < n; i++) {
          late[i].drop();
        }
        var w = new Waiting<>(oneshot.receive());
        same("empty", 1, w.poll() == null ? 1 : 0);
        oneshot.send(7);
        same("woken", 1, w.wakes.get());
        Integer value = w.poll();
        same("value", 7, value == null ? -1 : value);
      }
    };
  }

  private static Scenario oneshots() {
    List<Oneshot<Integer>> all = new ArrayList<>();
    List<Waiting<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Oneshot<Integer> oneshot = Oneshot.create();
      all.add(oneshot);
      var w = new Waiting<>(oneshot.receive());
      w.poll();
      waiting.add(w);
    }
    return new Counting() {
      @Override
      public void step() {
        if (done < 2_000 && all.get(done).trySend(done) == SendResult.SENT) {
          done++;
        }
      }

      @Override
      public void check() {
        for (int i = 0; i < 2_000; i++) {
          same("sent " + i, i < done ? 1 : 0, waiting.get(i).wakes.get());
          all.get(i).trySend(i);
          Integer value = waiting.get(i).poll();
          same("value", i, value == null ? -1 : value);
        }
      }
    };
  }

  private static Scenario broadcasting() {
    Broadcast<Integer> broadcast = Broadcast.create(10_000);
    var receiver = broadcast.subscribe();
    return new Counting() {
      @Override
      public void step() {
        broadcast.send(done);
        done++;
      }

      @Override
      public void check() {
        for (int i = 0; i < done; i++) {
          Integer message = receiver.tryReceive();
          same("message", i, message == null ? -1 : message);
        }
        var next = new Waiting<>(receiver.receive());
        same("no more", 1, next.poll() == null ? 1 : 0);
        broadcast.send(-7);
        same("woken", 1, next.wakes.get());
        Integer last = next.poll();
        same("last", -7, last == null ? 0 : last);
      }
    };
  }

  private static Scenario hearing() {
    Broadcast<Integer> broadcast = Broadcast.create(10_000);
    var receiver = broadcast.subscribe();
    for (int i = 0; i < 10_000; i++) {
      broadcast.send(i);
    }
    return new Counting() {
      @Override
      public void step() {
        Integer message = receiver.tryReceive();
        if (message != null) {
          done++;
        }
      }

      @Override
      public void check() {
        Integer next = receiver.tryReceive();
        same("next", done, next == null ? -1 : next);
      }
    };
  }

  private static Scenario hearingNext() {
    Broadcast<Integer> broadcast = Broadcast.create(10_000);
    var receiver = broadcast.subscribe();
    for (int i = 0; i < 10_000; i++) {
      broadcast.send(i);
    }
    Context cx = Context.of(() -> {});
    return new Counting() {
      @Override
      public void step() {
        var next = receiver.next();
        if (next.poll(cx) != null) {
          done++;
        }
      }

      @Override
      public void check() {
        Integer next = receiver.tryReceive();
        same("next", done, next == null ? -1 : next);
      }
    };
  }

  private static Scenario watchersLeaving() {
    List<WatchReceiver<Integer>> receivers = new ArrayList<>();
    List<Waiting<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Watch<Integer> watch = Watch.of(0);
      receivers.add(watch.subscribe());
      var w = new Waiting<>(watch.unwatched());
      w.poll();
      waiting.add(w);
    }
    return new Counting() {
      @Override
      public void step() {
        if (done < 2_000) {
          receivers.get(done).close();
          done++;
        }
      }

      @Override
      public void check() {
        for (int i = 0; i < 2_000; i++) {
          receivers.get(i).close();
          same("woken " + i, 1, waiting.get(i).wakes.get());
          same("ended", 1, waiting.get(i).poll() == null ? 0 : 1);
        }
      }
    };
  }

  private static Scenario waitingFor() {
    List<Watch<Integer>> watches = new ArrayList<>();
    List<Waiting<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Watch<Integer> watch = Watch.of(0);
      watches.add(watch);
      var w = new Waiting<>(watch.subscribe().waitFor(value -> value > 0));
      w.poll();
      waiting.add(w);
    }
    return new Counting() {
      @Override
      public void step() {
        if (done < 2_000) {
          watches.get(done).send(done + 1);
          done++;
        }
      }

      @Override
      public void check() {
        for (int i = 0; i < 2_000; i++) {
          same("woken " + i, i < done ? 1 : 0, waiting.get(i).wakes.get());
          Integer value = waiting.get(i).poll();
          same("value " + i, i < done ? i + 1 : -1, value == null ? -1 : value);
        }
      }
    };
  }

  private static Scenario watching() {
    Watch<Integer> watch = Watch.of(0);
    var receiver = watch.subscribe();
    return new Counting() {
      @Override
      public void step() {
        watch.send(1);
        done++;
      }

      @Override
      public void check() {
        same("changes", done, watch.latest.changes());
        receiver.borrowAndUpdate();
        var next = new Waiting<>(receiver.changed());
        next.poll();
        watch.send(2);
        same("woken", 1, next.wakes.get());
      }
    };
  }

  private static Scenario tellingWaiters() {
    Broadcast<Integer> broadcast = Broadcast.create(10_000);
    List<Waiting<Integer>> waiting = new ArrayList<>();
    return new Counting() {
      @Override
      public void step() {
        if (waiting.isEmpty()) {
          for (int i = 0; i < 8; i++) {
            var w = new Waiting<>(broadcast.subscribe().receive());
            w.poll();
            waiting.add(w);
          }
        }
        if (done > 990) {
          broadcast.send(1);
        }
        done++;
      }

      @Override
      public void check() {
        if (broadcast.tail() == 0) {
          broadcast.send(1);
        }
        for (var w : waiting) {
          same("woken", 1, w.wakes.get());
          same("received", 1, w.poll() == null ? 0 : 1);
        }
      }
    };
  }

  private static Scenario showingWaiters() {
    List<Watch<Integer>> watches = new ArrayList<>();
    List<Waiting<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Watch<Integer> watch = Watch.of(0);
      watches.add(watch);
      var w = new Waiting<>(watch.subscribe().changed());
      w.poll();
      waiting.add(w);
    }
    return new Counting() {
      @Override
      public void step() {
        if (done < 2_000) {
          watches.get(done).send(1);
          done++;
        }
      }

      @Override
      public void check() {
        for (int i = 0; i < 2_000; i++) {
          same("woken " + i, i < done ? 1 : 0, waiting.get(i).wakes.get());
          same("seen " + i, i < done ? 1 : 0, waiting.get(i).poll() == null ? 0 : 1);
        }
      }
    };
  }

  @SuppressWarnings("InfiniteRecursion") // that is the point
  private static void recurse(Scenario scenario) {
    scenario.step();
    recurse(scenario);
  }

  /** Starts some frames deeper, so that the end of the stack comes at another instruction. */
  private static void shifted(int frames, long odd, Scenario scenario) {
    if (frames > 0) {
      shifted(frames - 1, odd + 1, scenario);
    } else {
      recurse(scenario);
    }
  }

  /** Runs one scenario; null, or what was wrong. */
  static @Nullable String run(Maker maker, int shift) throws InterruptedException {
    var wrong = new String[1];
    var thread =
        new Thread(
            null,
            () -> {
              Scenario scenario = maker.make();
              scenario.step();
              try {
                shifted(shift, shift, scenario);
              } catch (StackOverflowError e) {
                try {
                  works(Channel.bounded(1)); // whoever waits anywhere does what is owed
                  Counting.same("owed", 1, Owed.first == null ? 1 : 0);
                  scenario.check();
                } catch (Throwable t) {
                  var at = t.getStackTrace();
                  wrong[0] = t + (at.length > 1 ? " at " + at[1] : "");
                }
                return;
              } catch (Throwable t) {
                wrong[0] = "not an overflow: " + t;
                return;
              }
              wrong[0] = "no overflow";
            },
            "overflow",
            STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    thread.join(20_000);
    return thread.isAlive() ? "hangs" : wrong[0];
  }

  /** Arguments: from which shift, to which. Prints what was wrong, and ends with it. */
  @SuppressWarnings("SystemExitOutsideMain")
  public static void main(String... args) throws InterruptedException {
    int wrong = 0;
    int to = Integer.parseInt(args[0]);
    for (var scenario : all().entrySet()) {
      for (int shift = 0; shift < to; shift++) {
        String problem = run(scenario.getValue(), shift);
        if (problem != null) {
          System.out.println(scenario.getKey() + ", shift " + shift + ": " + problem);
          wrong++;
          break;
        }
      }
    }
    System.out.println(wrong + " wrong of " + all().size());
    System.exit(wrong == 0 ? 0 : 1);
  }
}
