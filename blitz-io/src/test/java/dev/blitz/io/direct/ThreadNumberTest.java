package dev.blitz.io.direct;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Threads whose numbers agree in the lower half with others, or with none. */
@Strict
class ThreadNumberTest {

  @Test
  void unpark_byAThreadWhoseNumberIsAMultipleOfTwoToThe32_wakesTheTask() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      assumeTrue(runtime.carriers().own(), "needs java.lang to be open, and our carriers");
      var parked = new AtomicReference<@Nullable Thread>();
      JoinHandle<Done> task =
          runtime.spawn(() -> {
            parked.set(Thread.currentThread());
            LockSupport.park();
          });
      Await.until(
          () -> parked.get() != null && parked.get().getState() == Thread.State.WAITING,
          "the task to park");
      var waker = new Thread(() -> LockSupport.unpark(parked.get()));
      var number = Thread.class.getDeclaredField("tid");
      number.setAccessible(true);
      number.setLong(waker, 1L << 32);
      waker.start();
      waker.join();
      Await.until(task::isDone, "the task to go on");
    }
  }
}
