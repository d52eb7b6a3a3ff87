package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.uring.OutputState.Next;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class OutputStateTest {
  private final OutputState output = new OutputState();

  @Test
  void aSend_beginsAndEnds_oneAtATime() {
    assertThat(output.toString()).isEqualTo("OPEN");
    for (int i = 0; i < 3; i++) {
      assertThat(output.begin()).isTrue();
      assertThat(output.begin()).isFalse();
      assertThat(output.toString()).isEqualTo("SENDING");
      assertThat(output.sent()).isEqualTo(Next.NOTHING);
      assertThat(output.sent()).as("again").isEqualTo(Next.NOTHING);
      assertThat(output.toString()).isEqualTo("OPEN");
    }
    assertThat(output.isToEnd()).isFalse();
  }

  @Test
  void end_withoutASend_isDoneByWhoEnds_againAndAgain() {
    assertThat(output.end()).isEqualTo(Next.SHUT_DOWN);
    assertThat(output.toString()).isEqualTo("ENDED");
    assertThat(output.end()).isEqualTo(Next.SHUT_DOWN);
    assertThat(output.isToEnd()).isTrue();
    assertThat(output.begin()).isFalse();
    assertThat(output.sent()).isEqualTo(Next.NOTHING);
  }

  @Test
  void end_duringASend_isDoneAfterIt() {
    output.begin();
    assertThat(output.end()).isEqualTo(Next.NOTHING);
    assertThat(output.end()).isEqualTo(Next.NOTHING);
    assertThat(output.toString()).isEqualTo("ENDING");
    assertThat(output.isToEnd()).isTrue();
    assertThat(output.begin()).isFalse();
    assertThat(output.sent()).isEqualTo(Next.SHUT_DOWN);
    assertThat(output.sent()).isEqualTo(Next.NOTHING);
    assertThat(output.toString()).isEqualTo("ENDED");
  }

  @Test
  void end_duringASendThatLosesBytes_isNotTold() {
    output.begin();
    output.end();
    output.lost();
    assertThat(output.toString()).isEqualTo("ENDING, LOST");
    assertThat(output.sent()).isEqualTo(Next.NOTHING);
    assertThat(output.toString()).isEqualTo("ENDED, LOST");
  }

  @Test
  void aFailure_stays_andTheFirstErrnoToo() {
    assertThat(output.failure()).isZero();
    output.begin();
    output.failed(Errno.EPIPE);
    output.failed(Errno.ECONNRESET);
    output.sent();
    assertThat(output.failure()).isEqualTo(Errno.EPIPE);
    assertThat(output.errno()).isEqualTo(Errno.EPIPE);
    assertThat(output.toString()).isEqualTo("OPEN, FAILED, errno " + Errno.EPIPE);
  }

  @Test
  void aBreak_isForTheReader_andNoFailureOfLaterWrites() {
    output.broke(Errno.ECONNRESET);
    assertThat(output.errno()).isEqualTo(Errno.ECONNRESET);
    assertThat(output.failure()).isZero();
    assertThat(output.begin()).isTrue();
    output.failed(Errno.EPIPE);
    assertThat(output.failure()).isEqualTo(Errno.ECONNRESET);
  }

  /** However the two meet, the kernel is told once. */
  @Test
  void end_andTheLastCompletion_tellTheKernelOnce() throws Exception {
    for (int round = 0; round < 200; round++) {
      var state = new OutputState();
      state.begin();
      var told = new AtomicInteger();
      Race.run(
          2,
          who -> {
            if ((who == 0 ? state.end() : state.sent()) == Next.SHUT_DOWN) {
              told.incrementAndGet();
            }
          });
      assertThat(told).as("round %d", round).hasValue(1);
    }
  }
}
