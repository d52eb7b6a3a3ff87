package dev.blitz.io.internal.driver.uring;

import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;

/**
 * Kernel layouts and numbers of {@code include/uapi/linux/io_uring.h}; the only place that spells
 * them.
 */
final class UringAbi {
  private UringAbi() {}

  /** The same number on every 64-bit architecture that Linux has gained io_uring on. */
  static final long SYS_IO_URING_SETUP = 425;

  /**
   * {@code struct io_sqring_offsets}: nine 32-bit words and a 64-bit one; the completion side is as
   * large.
   */
  private static final MemoryLayout RING_OFFSETS =
      structLayout(sequenceLayout(8, JAVA_INT).withName("words"), JAVA_LONG.withName("user_addr"));

  /** {@code struct io_uring_params}. */
  static final MemoryLayout PARAMS =
      structLayout(
          JAVA_INT.withName("sq_entries"),
          JAVA_INT.withName("cq_entries"),
          JAVA_INT.withName("flags"),
          JAVA_INT.withName("sq_thread_cpu"),
          JAVA_INT.withName("sq_thread_idle"),
          JAVA_INT.withName("features"),
          JAVA_INT.withName("wq_fd"),
          sequenceLayout(3, JAVA_INT).withName("resv"),
          RING_OFFSETS.withName("sq_off"),
          RING_OFFSETS.withName("cq_off"));

  private static final long FEATURES = PARAMS.byteOffset(PathElement.groupElement("features"));

  /** The {@code IORING_FEAT_*} bits that the kernel wrote into {@link #PARAMS}. */
  static int features(MemorySegment params) {
    return params.get(JAVA_INT, FEATURES);
  }
}
