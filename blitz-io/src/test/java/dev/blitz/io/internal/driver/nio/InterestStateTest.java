package dev.blitz.io.internal.driver.nio;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.internal.driver.nio.InterestState.Next;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
class InterestStateTest {
  private final InterestState state = new InterestState();

  @Test
  void arm_queuesOnce_andWhatIsKnownNotAtAll() {
    assertThat(state.wasArmed()).isFalse();
    assertThat(state.arm(OP_READ)).isEqualTo(Next.QUEUE);
    assertThat(state.arm(OP_READ)).isEqualTo(Next.NONE);
    assertThat(state.arm(OP_WRITE)).as("it is in the queue").isEqualTo(Next.TELL);
    assertThat(state.operations()).isEqualTo(OP_READ | OP_WRITE);
    assertThat(state.wasArmed()).isTrue();
  }

  @Test
  void arm_afterDequeue_queuesOnlyWhatIsNew() {
    state.arm(OP_READ);
    assertThat(state.dequeue()).as("it leaves").isFalse();
    assertThat(state.arm(OP_READ)).as("the selector knows").isEqualTo(Next.NONE);
    assertThat(state.arm(OP_WRITE)).isEqualTo(Next.QUEUE);
  }

  @Test
  void told_takesOut_andQueues() {
    state.arm(OP_READ | OP_WRITE);
    state.dequeue();
    assertThat(state.told(OP_READ)).isEqualTo(Next.QUEUE);
    assertThat(state.operations()).isEqualTo(OP_WRITE);
    assertThat(state.arm(OP_READ)).as("it is in the queue").isEqualTo(Next.TELL);
    assertThat(state.told(OP_WRITE)).isEqualTo(Next.NONE);
    assertThat(state.operations()).isEqualTo(OP_READ);
  }

  @Test
  void leave_isSeenByTheDequeueAfterIt() {
    state.arm(OP_READ);
    assertThat(state.leave()).as("it is in the queue").isEqualTo(Next.TELL);
    assertThat(state.dequeue()).isTrue();
  }

  @Test
  void leave_afterADequeue_isInTheQueueOnceMore() {
    state.arm(OP_READ);
    assertThat(state.dequeue()).isFalse();
    assertThat(state.leave()).isEqualTo(Next.QUEUE);
    assertThat(state.dequeue()).isTrue();
  }

  @Test
  void toString_decodes() {
    state.arm(OP_READ);
    state.leave();
    assertThat(state).hasToString("operations 1 queued armed leaving");
  }
}
