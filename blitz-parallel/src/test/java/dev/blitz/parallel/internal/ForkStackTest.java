package dev.blitz.parallel.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.IntWork;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

@Strict
class ForkStackTest {
  /** A stack without a pool: a thread that is never started. */
  private static final class Bare extends ForkStack {
    Bare() {
      super("bare", 0);
    }
  }

  private final Bare stack = new Bare();

  private int push(int value) {
    IntWork<RuntimeException> work = () -> value;
    return stack.push(work);
  }

  private static Object run(SharedFork fork) {
    try {
      return fork.run();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void push_withoutDemand_staysPrivate() {
    stack.share(0);
    int fork = push(1);
    assertThat(stack.needsAttention(fork)).isFalse();
    assertThat(stack.steal()).isNull();
    assertThat(stack.popPrivate(fork)).isTrue();
  }

  @Test
  void steal_findingNothing_leavesDemand() {
    stack.share(0);
    assertThat(stack.isDemanded()).isFalse();
    assertThat(stack.steal()).isNull();
    assertThat(stack.isDemanded()).isTrue();
    assertThat(stack.needsAttention(push(1))).isTrue();
  }

  @Test
  void freshStack_looksAtItsFirstPush_becauseThievesMayAlreadySleep() {
    assertThat(stack.isDemanded()).as("nobody has asked").isFalse();
    assertThat(stack.needsAttention(push(1))).isTrue();
  }

  @Test
  void share_publishesTheOldestFirst_upToTheTarget() {
    for (int i = 0; i < 5; i++) {
      push(i);
    }
    assertThat(stack.share(2)).isEqualTo(2);
    assertThat(stack.wasEmpty()).isTrue();
    assertThat(stack.isDemanded()).isFalse();
    assertThat(stack.unclaimed(9)).isEqualTo(2);
    assertThat(stack.share(2)).isZero();
    SharedFork first = requireNonNull(stack.steal());
    assertThat(run(first)).isEqualTo(0);
    assertThat(stack.isDemanded()).as("the thief got what it wanted").isFalse();
    assertThat(stack.needsAttention(stack.bottom - 1)).isTrue();
    assertThat(stack.share(2)).isEqualTo(1);
    assertThat(stack.wasEmpty()).isFalse();
  }

  @Test
  void share_ofTooFew_looksAgainAtTheNextPush() {
    push(1);
    assertThat(stack.share(3)).isEqualTo(1);
    assertThat(stack.isDemanded()).isFalse();
    assertThat(stack.needsAttention(push(2))).isTrue();
    push(3);
    assertThat(stack.share(3)).isEqualTo(2);
    assertThat(stack.needsAttention(push(4))).isFalse();
  }

  @Test
  void popShared_looksAgain_andIsNoDemand() {
    int fork = push(1);
    stack.share(1);
    assertThat(stack.sharedAt(fork).tryClaimByOwner()).isTrue();
    stack.popShared(fork);
    assertThat(stack.isDemanded()).as("only the owner took it").isFalse();
    assertThat(stack.needsAttention(push(2))).isTrue();
  }

  @Test
  void popShared_keepsADemandThatIsThere() {
    int fork = push(1);
    stack.share(1);
    assertThat(stack.sharedAt(fork).tryClaimByOwner()).isTrue();
    assertThat(stack.steal()).isNull();
    stack.popShared(fork);
    assertThat(stack.isDemanded()).isTrue();
  }

  @Test
  void popPrivate_ofASharedFork_isRefused() {
    int fork = push(1);
    stack.share(1);
    assertThat(stack.popPrivate(fork)).isFalse();
    SharedFork shared = stack.sharedAt(fork);
    assertThat(shared.tryClaimByOwner()).isTrue();
    assertThat(shared.tryClaim()).isFalse();
    assertThat(shared.isClaimedByOwner()).isTrue();
    stack.popShared(fork);
    assertThat(stack.bottom).isZero();
    assertThat(stack.steal()).isNull();
  }

  @Test
  void share_afterPopping_isFoundThoughTheHintWasHigher() {
    int fork = push(1);
    stack.share(1);
    assertThat(stack.steal()).isNotNull();
    assertThat(stack.popPrivate(fork)).isFalse();
    stack.popShared(fork);
    push(2);
    assertThat(stack.share(1)).isEqualTo(1);
    SharedFork second = requireNonNull(stack.steal());
    assertThat(run(second)).isEqualTo(2);
  }

  /** An overflow may strike between the refusal and whatever comes next. */
  @Test
  void popPrivate_whenItRefuses_keepsTheFork() {
    int fork = push(1);
    stack.share(1);
    assertThat(stack.popPrivate(fork)).isFalse();
    assertThat(push(2)).isEqualTo(fork + 1);
    assertThat(stack.sharedAt(fork).tryClaimByOwner()).isTrue();
  }

  @Test
  void push_whenFull_grows() {
    int forks = 10 * Tuning.INITIAL_SLOTS;
    for (int i = 0; i < forks; i++) {
      if (stack.needsAttention(push(i))) {
        assertThat(stack.share(0)).isZero();
      }
    }
    assertThat(stack.share(forks)).isEqualTo(forks);
    for (int i = 0; i < forks; i++) {
      SharedFork fork = requireNonNull(stack.steal());
      assertThat(run(fork)).isEqualTo(i);
    }
  }

  @Test
  void clearGarbage_forgetsPoppedForksOnly() {
    push(1);
    int fork = push(2);
    assertThat(stack.popPrivate(fork)).isTrue();
    stack.clearGarbage();
    assertThat(stack.frames[0].work).isNotNull();
    assertThat(stack.frames[1].work).isNull();
  }

  @Test
  void clearGarbage_ofAStackThatHasGrown_shrinksIt_andItGoesOn() {
    int forks = 10 * Tuning.INITIAL_SLOTS;
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < forks; i++) {
        if (stack.needsAttention(push(i))) {
          stack.share(0);
        }
      }
      assertThat(stack.frames).hasSizeGreaterThanOrEqualTo(forks);
      for (int i = forks - 1; i >= 0; i--) {
        assertThat(stack.popPrivate(i)).isTrue();
      }
      stack.clearGarbage();
      assertThat(stack.frames).hasSize(Tuning.INITIAL_SLOTS);
    }
  }

  @Test
  void race_ofOwnerAndThieves_runsEachForkOnce() throws Exception {
    int rounds = 20_000;
    int depth = 8;
    var claims = new AtomicIntegerArray(rounds * depth);
    var done = new AtomicBoolean();
    Race.run(
        index -> {
          int[] forks = new int[depth];
          for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < depth; i++) {
              forks[i] = push(round * depth + i);
              if (stack.needsAttention(forks[i])) {
                stack.share(3);
              }
            }
            for (int i = depth - 1; i >= 0; i--) {
              if (stack.popPrivate(forks[i])) {
                claims.incrementAndGet(round * depth + i);
              } else {
                SharedFork shared = stack.sharedAt(forks[i]);
                if (shared.tryClaimByOwner()) {
                  claims.incrementAndGet((int) run(shared));
                }
                stack.popShared(forks[i]);
              }
            }
          }
          done.set(true);
        },
        index -> thief(claims, done),
        index -> thief(claims, done));
    for (int i = 0; i < claims.length(); i++) {
      assertThat(claims.get(i)).as("fork %d", i).isEqualTo(1);
    }
  }

  private void thief(AtomicIntegerArray claims, AtomicBoolean done) {
    while (!done.get()) {
      SharedFork fork = stack.steal();
      if (fork != null) {
        claims.incrementAndGet((int) run(fork));
      }
    }
  }
}
