package dev.blitz.io.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class ChildJvmTest {

  static final class Endless {
    private Endless() {}

    public static void main(String[] args) throws InterruptedException {
      Thread.currentThread().join();
    }
  }

  private static long children() {
    return ProcessHandle.current().children().count();
  }

  /** The time limit of a test interrupts it: one that does not heed that ends the whole suite. */
  @Test
  void run_whenInterrupted_endsItsChild() throws Exception {
    long before = children();
    var end = new AtomicReference<@Nullable Throwable>();
    Thread waits =
        new Thread(() -> {
          try {
            ChildJvm.run(Endless.class);
          } catch (Throwable e) {
            end.set(e);
          }
        });
    waits.start();
    Await.until(() -> children() > before, "the child");
    waits.interrupt();
    boolean ended = waits.join(Timeouts.MEDIUM);
    ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
    waits.join();
    assertThat(ended).as("the interrupt was heeded").isTrue();
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
    assertThat(children()).isEqualTo(before);
  }
}
