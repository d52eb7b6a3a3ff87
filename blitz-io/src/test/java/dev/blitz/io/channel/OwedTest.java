package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.testkit.Strict;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who carries out what is owed, where no channel is used any more. */
@Strict
class OwedTest {

  private static final class Debt extends Owed {
    final CountDownLatch paid = new CountDownLatch(1);
    int failures;

    Debt(int failures) {
      this.failures = failures;
      synchronized (LOCK) {
        owing = true;
        nextOwed = Owed.first;
        Owed.first = this;
      }
    }

    @Override
    void pay() {
      if (failures > 0) {
        failures--;
        throw new StackOverflowError("as if");
      }
      paid.countDown();
    }

    boolean isSettled() {
      return paid.getCount() == 0;
    }
  }

  @Test
  void aWorkerSettles_afterATask() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      var debts = new Debt[1];
      runtime
          .spawn(
              Futures.lazy(() -> {
                debts[0] = new Debt(0);
                return Done.DONE;
              }))
          .await();
      assertThat(debts[0].paid.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aDirectTaskSettles_beforeItSleeps() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      var debt = new CompletableFuture<Debt>();
      var answer = Oneshot.<Integer>create();
      var task =
          runtime.spawn(() -> {
            debt.complete(new Debt(0));
            return answer.receive().await();
          });
      assertThat(debt.get().paid.await(20, TimeUnit.SECONDS)).isTrue();
      answer.send(1);
      assertThat(task.await()).isEqualTo(1);
    }
  }

  @Test
  void aThreadSettles_beforeItParks() throws Exception {
    var never = Oneshot.<Integer>create();
    var debt = new CompletableFuture<Debt>();
    var thread =
        Thread.ofPlatform()
            .start(() -> {
              debt.complete(new Debt(0));
              try {
                never.receive().await();
              } catch (ChannelClosedException e) {
                return;
              }
            });
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(debt.get().isSettled()).isTrue();
    never.close();
    thread.join();
  }

  @Test
  void whatCannotBeDone_isStillOwed() {
    var other = new Debt(0);
    var debt = new Debt(1);
    Owed.payAll();
    assertThat(debt.isSettled()).isFalse();
    assertThat(other.isSettled()).as("it comes after").isFalse();
    Owed.payAll();
    assertThat(debt.isSettled()).isTrue();
    assertThat(other.isSettled()).isTrue();
    assertThat(Owed.first).isNull();
  }
}
