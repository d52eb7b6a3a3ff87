package dev.blitz.io.internal.driver.uring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.TestBackends;
import dev.blitz.io.internal.driver.SeccompFilter;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class UringBackendTest {
  private static final int ALL = 0x3ffff;
  private static final int EPERM = 1;
  private static final int ENOMEM = 12;
  private static final int EINVAL = 22;
  private static final int ENOSYS = 38;

  @Test
  void aKernelWithEverything_hasNoObstacle() {
    assertThat(new UringFindings(0, ALL, true, 0, true).obstacle()).isEmpty();
  }

  @Test
  void eachLack_isItsOwnReason() {
    TestBackends.assumeNative();
    assertThat(new UringFindings(EPERM, 0, false, 0, false).obstacle().orElseThrow())
        .contains("errno 1)", "seccomp", "io_uring_disabled");
    assertThat(new UringFindings(ENOMEM, 0, false, 0, false).obstacle().orElseThrow())
        .contains("ulimit -l");
    assertThat(new UringFindings(ENOSYS, 0, false, 0, false).obstacle().orElseThrow())
        .contains("has no io_uring");
    int withoutTimedWait = ALL & ~UringAbi.FEATURE_EXT_ARG;
    assertThat(new UringFindings(0, withoutTimedWait, true, 0, true).obstacle().orElseThrow())
        .contains("lacks features 0x100", "6.0");
    assertThat(new UringFindings(0, ALL, false, 0, true).obstacle().orElseThrow())
        .contains("lacks operations");
    assertThat(new UringFindings(0, ALL, true, EINVAL, false).obstacle().orElseThrow())
        .contains("provided-buffer ring", "5.19");
    assertThat(new UringFindings(0, ALL, true, ENOMEM, false).obstacle().orElseThrow())
        .contains("provided-buffer ring", "ulimit -l");
    assertThat(new UringFindings(0, ALL, true, 0, false).obstacle().orElseThrow())
        .contains("no multishot receive");
  }

  private static BackendProbe probeWithout(long call, int errno) throws Exception {
    var answer = new CompletableFuture<BackendProbe>();
    var filtered = new CompletableFuture<Boolean>();
    // The filter stays with the thread, so it must be one of its own.
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                filtered.complete(SeccompFilter.forbid(call, errno));
                answer.complete(new UringBackend().probe());
              } catch (Throwable t) {
                filtered.completeExceptionally(t);
                answer.completeExceptionally(t);
              }
            });
    thread.join();
    assumeTrue(filtered.get(), "the kernel takes no seccomp filter");
    return answer.get();
  }

  @Test
  void aFilterThatForbidsSetup_isARefusalWithItsReason() throws Exception {
    TestBackends.assumeAvailable("io_uring");
    var probe = probeWithout(UringAbi.SYS_IO_URING_SETUP, EPERM);
    assertThat(probe.available()).isFalse();
    assertThat(probe.detail()).contains("Operation not permitted", "seccomp");
  }

  @Test
  void aFilterThatForbidsRegistering_isARefusalWithItsReason() throws Exception {
    TestBackends.assumeAvailable("io_uring");
    var probe = probeWithout(UringAbi.SYS_IO_URING_REGISTER, EINVAL);
    assertThat(probe.available()).isFalse();
    assertThat(probe.detail()).contains("operations");
  }

  @Test
  void probe_saysEitherFeaturesOrAReason() {
    var probe = new UringBackend().probe();
    assertThat(probe.name()).isEqualTo("io_uring");
    assertThat(probe.detail()).isNotBlank();
  }

  /** All that sockets are made of, and nothing besides: a kernel without it could do. */
  @Test
  void theOperationsThatAreNeeded_areThoseThatAreSubmitted() {
    try (var arena = Arena.ofConfined()) {
      MemorySegment entry = arena.allocate(SubmissionAbi.BYTES, 8);
      Set<Integer> submitted = new TreeSet<>();
      List<Runnable> writers =
          List.of(
              () -> SubmissionAbi.acceptMany(entry, 0, 0, 0),
              () -> SubmissionAbi.receiveMany(entry, 0, 0, 0, 0),
              () -> SubmissionAbi.send(entry, 0, 0, 0, 0, 0),
              () -> SubmissionAbi.sendAtOnce(entry, 0, 0, 0, 0, 0),
              () -> SubmissionAbi.poll(entry, 0, 0, 0, 0),
              () -> SubmissionAbi.pollMany(entry, 0, 0, 0, 0),
              () -> SubmissionAbi.cancel(entry, 0, 0, 0),
              () -> SubmissionAbi.cancelEverything(entry, 0, 0));
      for (Runnable writer : writers) {
        writer.run();
        submitted.add(Byte.toUnsignedInt(entry.get(JAVA_BYTE, 0)));
      }
      assertThat(UringFindings.NEEDED_OPERATIONS).containsExactlyInAnyOrderElementsOf(submitted);
    }
  }
}
