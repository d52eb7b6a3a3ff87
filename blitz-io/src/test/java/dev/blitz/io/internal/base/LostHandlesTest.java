package dev.blitz.io.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.lang.management.ManagementFactory;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class LostHandlesTest {
  private static final class Counted implements LostHandles.Held {
    private final AtomicInteger closes;
    private boolean open = true;

    Counted(AtomicInteger closes) {
      this.closes = closes;
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void close() {
      open = false;
      closes.incrementAndGet();
    }
  }

  /** A virtual thread that is next for a monitor may need the very worker that waits behind it. */
  @Test
  void watching_andNoLonger_takesNoMonitor() throws Exception {
    var threads = ManagementFactory.getThreadMXBean();
    var closes = new AtomicInteger();
    Race.run(
        2,
        me -> {
          long self = Thread.currentThread().threadId();
          long blocked = threads.getThreadInfo(self).getBlockedCount();
          for (int i = 0; i < 200_000; i++) {
            var held = new Counted(closes);
            var watched = LostHandles.watch(new Object(), held, "one of the test");
            held.close();
            watched.clean();
          }
          // The JVM's own, of class loading say, are met once; one of ours again and again.
          assertThat(threads.getThreadInfo(self).getBlockedCount() - blocked).isLessThan(10);
        });
    assertThat(closes).hasValue(400_000);
  }

  @Test
  void eachIsCleanedOnce_inAnyOrder() {
    var closes = new AtomicInteger();
    List<Object> handles = new ArrayList<>();
    List<Cleaner.Cleanable> watched = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      handles.add(new Object());
      watched.add(LostHandles.watch(handles.getLast(), new Counted(closes), "one of ten"));
    }
    for (int i : new int[] {0, 9, 4, 5, 1, 8, 2, 3, 6, 7, 7, 0}) {
      watched.get(i).clean();
    }
    assertThat(closes).hasValue(10);
    assertThat(handles).hasSize(10);
  }
}
