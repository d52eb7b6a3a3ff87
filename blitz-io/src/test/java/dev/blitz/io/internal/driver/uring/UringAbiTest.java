package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Sizes and offsets as the kernel's header documents them. */
class UringAbiTest {

  private static long offset(MemoryLayout layout, String... path) {
    var elements = new PathElement[path.length];
    for (int i = 0; i < path.length; i++) {
      elements[i] = PathElement.groupElement(path[i]);
    }
    return layout.byteOffset(elements);
  }

  @Test
  void params_hasTheKernelsSizeAndOffsets() {
    assertThat(UringAbi.PARAMS.byteSize()).isEqualTo(120);
    assertThat(offset(UringAbi.PARAMS, "features")).isEqualTo(20);
    assertThat(offset(UringAbi.PARAMS, "sq_off")).isEqualTo(40);
    assertThat(offset(UringAbi.PARAMS, "sq_off", "array")).isEqualTo(64);
    assertThat(offset(UringAbi.PARAMS, "cq_off")).isEqualTo(80);
    assertThat(offset(UringAbi.PARAMS, "cq_off", "cqes")).isEqualTo(100);
  }

  @Test
  void submission_hasTheKernelsSizeAndOffsets() {
    assertThat(SubmissionAbi.LAYOUT.byteSize()).isEqualTo(64).isEqualTo(SubmissionAbi.BYTES);
    assertThat(offset(SubmissionAbi.LAYOUT, "fd")).isEqualTo(4);
    assertThat(offset(SubmissionAbi.LAYOUT, "addr")).isEqualTo(16);
    assertThat(offset(SubmissionAbi.LAYOUT, "len")).isEqualTo(24);
    assertThat(offset(SubmissionAbi.LAYOUT, "op_flags")).isEqualTo(28);
    assertThat(offset(SubmissionAbi.LAYOUT, "user_data")).isEqualTo(32);
    assertThat(offset(SubmissionAbi.LAYOUT, "buf_group")).isEqualTo(40);
    assertThat(offset(SubmissionAbi.LAYOUT, "file_index")).isEqualTo(44);
    assertThat(offset(SubmissionAbi.LAYOUT, "addr3")).isEqualTo(48);
  }

  @Test
  void submissionWriters_overwriteTheWholeEntry() {
    try (var arena = Arena.ofConfined()) {
      var entries = arena.allocate(128, 8).fill((byte) -1);
      SubmissionAbi.receiveMany(entries, 64, 7, 3, 0x1122334455667788L);
      assertThat(entries.get(ValueLayout.JAVA_BYTE, 64)).isEqualTo((byte) 27);
      assertThat(entries.get(ValueLayout.JAVA_BYTE, 65)).isEqualTo((byte) 32);
      assertThat(entries.get(ValueLayout.JAVA_SHORT, 66)).isEqualTo((short) 2);
      assertThat(entries.get(ValueLayout.JAVA_INT, 68)).isEqualTo(7);
      assertThat(entries.get(ValueLayout.JAVA_LONG, 72)).isZero();
      assertThat(entries.get(ValueLayout.JAVA_LONG, 80)).isZero();
      assertThat(entries.get(ValueLayout.JAVA_LONG, 88)).isZero();
      assertThat(entries.get(ValueLayout.JAVA_LONG, 96)).isEqualTo(0x1122334455667788L);
      assertThat(entries.get(ValueLayout.JAVA_SHORT, 104)).isEqualTo((short) 3);
      assertThat(entries.get(ValueLayout.JAVA_SHORT, 106)).isZero();
      assertThat(entries.get(ValueLayout.JAVA_INT, 108)).isZero();
      assertThat(entries.get(ValueLayout.JAVA_LONG, 112)).isZero();
      assertThat(entries.get(ValueLayout.JAVA_LONG, 120)).isZero();
      assertThat(entries.get(ValueLayout.JAVA_LONG, 56)).as("the entry before").isEqualTo(-1);
    }
  }

  @Test
  void completion_hasTheKernelsSizeAndOffsets() {
    assertThat(CompletionAbi.LAYOUT.byteSize()).isEqualTo(16).isEqualTo(CompletionAbi.BYTES);
    assertThat(offset(CompletionAbi.LAYOUT, "res")).isEqualTo(8);
    assertThat(offset(CompletionAbi.LAYOUT, "flags")).isEqualTo(12);
    assertThat(CompletionAbi.buffer(0xFFFF_0003)).isEqualTo(0xFFFF);
    assertThat(CompletionAbi.hasBuffer(0xFFFF_0003)).isTrue();
    assertThat(CompletionAbi.isLast(0xFFFF_0003)).isFalse();
    assertThat(CompletionAbi.isLast(0x0001_0001)).isTrue();
  }

  @Test
  void waitArgument_pointsToItsTimespec() {
    assertThat(offset(UringAbi.WAIT_ARGUMENT, "ts")).isEqualTo(16);
    assertThat(offset(UringAbi.WAIT_ARGUMENT, "tv_sec")).isEqualTo(UringAbi.WAIT_ARGUMENT_SIZE);
    try (var arena = Arena.ofConfined()) {
      var argument = arena.allocate(UringAbi.WAIT_ARGUMENT);
      UringAbi.initWaitArgument(argument);
      UringAbi.waitAtMost(argument, 2_000_000_003L);
      assertThat(argument.get(ValueLayout.JAVA_LONG, 16)).isEqualTo(argument.address() + 24);
      assertThat(argument.get(ValueLayout.JAVA_LONG, 24)).isEqualTo(2);
      assertThat(argument.get(ValueLayout.JAVA_LONG, 32)).isEqualTo(3);
    }
  }

  @Test
  void bufferRingAndProbe_haveTheKernelsSizesAndOffsets() {
    assertThat(UringAbi.BUFFER_REGISTRATION.byteSize()).isEqualTo(40);
    assertThat(offset(UringAbi.BUFFER_REGISTRATION, "bgid")).isEqualTo(12);
    assertThat(BufferAbi.LAYOUT.byteSize()).isEqualTo(16).isEqualTo(BufferAbi.BYTES);
    assertThat(offset(BufferAbi.LAYOUT, "resv")).isEqualTo(14).isEqualTo(BufferAbi.TAIL);
    assertThat(UringAbi.PROBE.byteSize()).isEqualTo(16 + 8 * UringAbi.PROBE_OPS);
    assertThat(offset(UringAbi.PROBE, "ops")).isEqualTo(16);
  }
}
