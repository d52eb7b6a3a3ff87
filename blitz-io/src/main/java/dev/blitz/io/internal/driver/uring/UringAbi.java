package dev.blitz.io.internal.driver.uring;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;

/**
 * Kernel layouts and numbers of {@code include/uapi/linux/io_uring.h} that concern a ring as a
 * whole: making it, mapping it, entering it, registering things with it. {@link SubmissionAbi} and
 * {@link CompletionAbi} describe the entries.
 */
final class UringAbi {
  private UringAbi() {}

  // --- System calls: the same numbers on every architecture that Linux has gained io_uring on ---

  static final long SYS_IO_URING_SETUP = 425;
  static final long SYS_IO_URING_ENTER = 426;
  static final long SYS_IO_URING_REGISTER = 427;

  // --- io_uring_setup ---

  static final int SETUP_CQSIZE = 1 << 3;
  static final int SETUP_CLAMP = 1 << 4;

  /** Goes on with the next entry when one is refused; since 5.18. */
  static final int SETUP_SUBMIT_ALL = 1 << 7;

  /** The kernel's work for an operation waits for its thread's next visit; since 5.19. */
  static final int SETUP_COOP_TASKRUN = 1 << 8;

  /** With it, {@link #RING_WORK_DEFERRED} tells that work waits. */
  static final int SETUP_TASKRUN_FLAG = 1 << 9;

  static final int FEATURE_SINGLE_MMAP = 1;
  static final int FEATURE_NODROP = 1 << 1;
  static final int FEATURE_FAST_POLL = 1 << 5;
  static final int FEATURE_EXT_ARG = 1 << 8;

  /** Completions of what succeeds can be left out; since 5.17. */
  static final int FEATURE_SKIP_SUCCESS = 1 << 11;

  /** {@code struct io_sqring_offsets}. */
  private static final MemoryLayout SUBMISSION_OFFSETS =
      structLayout(
          JAVA_INT.withName("head"),
          JAVA_INT.withName("tail"),
          JAVA_INT.withName("ring_mask"),
          JAVA_INT.withName("ring_entries"),
          JAVA_INT.withName("flags"),
          JAVA_INT.withName("dropped"),
          JAVA_INT.withName("array"),
          JAVA_INT.withName("resv1"),
          JAVA_LONG.withName("user_addr"));

  /** {@code struct io_cqring_offsets}. */
  private static final MemoryLayout COMPLETION_OFFSETS =
      structLayout(
          JAVA_INT.withName("head"),
          JAVA_INT.withName("tail"),
          JAVA_INT.withName("ring_mask"),
          JAVA_INT.withName("ring_entries"),
          JAVA_INT.withName("overflow"),
          JAVA_INT.withName("cqes"),
          JAVA_INT.withName("flags"),
          JAVA_INT.withName("resv1"),
          JAVA_LONG.withName("user_addr"));

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
          SUBMISSION_OFFSETS.withName("sq_off"),
          COMPLETION_OFFSETS.withName("cq_off"));

  /** What the kernel tells about a ring it has made. Offsets are into the mapped ring. */
  record Geometry(
      int submissionEntries,
      int completionEntries,
      int features,
      int submissionHead,
      int submissionTail,
      int submissionFlags,
      int submissionArray,
      int completionHead,
      int completionTail,
      int completionEntriesStart) {

    /** Both rings share one mapping ({@link #FEATURE_SINGLE_MMAP}); this is its size. */
    long ringBytes() {
      long submission = submissionArray + 4L * submissionEntries;
      long completion = completionEntriesStart + CompletionAbi.BYTES * completionEntries;
      return Math.max(submission, completion);
    }

    long submissionBytes() {
      return SubmissionAbi.BYTES * submissionEntries;
    }
  }

  static void request(MemorySegment params, int flags, int completionEntries) {
    params.fill((byte) 0);
    params.set(JAVA_INT, offset("flags"), flags);
    params.set(JAVA_INT, offset("cq_entries"), completionEntries);
  }

  static Geometry geometry(MemorySegment params) {
    return new Geometry(
        params.get(JAVA_INT, offset("sq_entries")),
        params.get(JAVA_INT, offset("cq_entries")),
        params.get(JAVA_INT, offset("features")),
        params.get(JAVA_INT, offset("sq_off", "head")),
        params.get(JAVA_INT, offset("sq_off", "tail")),
        params.get(JAVA_INT, offset("sq_off", "flags")),
        params.get(JAVA_INT, offset("sq_off", "array")),
        params.get(JAVA_INT, offset("cq_off", "head")),
        params.get(JAVA_INT, offset("cq_off", "tail")),
        params.get(JAVA_INT, offset("cq_off", "cqes")));
  }

  private static long offset(String... path) {
    var elements = new PathElement[path.length];
    for (int i = 0; i < path.length; i++) {
      elements[i] = PathElement.groupElement(path[i]);
    }
    return PARAMS.byteOffset(elements);
  }

  // --- mmap offsets ---

  static final long OFF_RINGS = 0;
  static final long OFF_SUBMISSION_ENTRIES = 0x10000000L;

  // --- Flags that the kernel sets in the submission ring ---

  /** Completions wait in the kernel because the completion ring was full. */
  static final int RING_COMPLETIONS_OVERFLOWN = 1 << 1;

  /** Work waits for a visit of its thread to the kernel. */
  static final int RING_WORK_DEFERRED = 1 << 2;

  // --- membarrier: the only system call here whose number is per architecture ---

  /** The number, or -1 on an architecture that we do not know. */
  static final long SYS_MEMBARRIER =
      switch (System.getProperty("os.arch")) {
        case "amd64", "x86_64" -> 324;
        case "aarch64", "riscv64" -> 283;
        default -> -1;
      };

  static final int MEMBARRIER_PRIVATE_EXPEDITED = 1 << 3;
  static final int MEMBARRIER_REGISTER_PRIVATE_EXPEDITED = 1 << 4;

  // --- io_uring_enter ---

  static final int ENTER_GETEVENTS = 1;
  static final int ENTER_EXT_ARG = 1 << 3;

  /** {@code struct io_uring_getevents_arg}, followed by the {@code timespec} that it points to. */
  static final MemoryLayout WAIT_ARGUMENT =
      structLayout(
          JAVA_LONG.withName("sigmask"),
          JAVA_INT.withName("sigmask_sz"),
          JAVA_INT.withName("min_wait_usec"),
          JAVA_LONG.withName("ts"),
          JAVA_LONG.withName("tv_sec"),
          JAVA_LONG.withName("tv_nsec"));

  /** What the kernel is told as the size of the argument: without our timespec. */
  static final long WAIT_ARGUMENT_SIZE = 24;

  private static final long WAIT_TIMESPEC_POINTER = 16;
  private static final long WAIT_SECONDS = 24;
  private static final long WAIT_NANOS = 32;

  /** Makes the argument point to the timespec behind it. */
  static void initWaitArgument(MemorySegment argument) {
    argument.fill((byte) 0);
    argument.set(JAVA_LONG, WAIT_TIMESPEC_POINTER, argument.address() + WAIT_SECONDS);
  }

  /** How long to wait at most, from the call on. */
  static void waitAtMost(MemorySegment argument, long nanos) {
    argument.set(JAVA_LONG, WAIT_SECONDS, nanos / 1_000_000_000L);
    argument.set(JAVA_LONG, WAIT_NANOS, nanos % 1_000_000_000L);
  }

  // --- io_uring_register ---

  static final int REGISTER_PROBE = 8;
  static final int REGISTER_PBUF_RING = 22;

  static final int PROBE_OPS = 64;

  /** {@code struct io_uring_probe} with room for {@link #PROBE_OPS} operations. */
  static final MemoryLayout PROBE =
      structLayout(
          JAVA_BYTE.withName("last_op"),
          JAVA_BYTE.withName("ops_len"),
          JAVA_SHORT.withName("resv"),
          sequenceLayout(3, JAVA_INT).withName("resv2"),
          sequenceLayout(
                  PROBE_OPS,
                  structLayout(
                      JAVA_BYTE.withName("op"),
                      JAVA_BYTE.withName("resv"),
                      JAVA_SHORT.withName("flags"),
                      JAVA_INT.withName("resv2")))
              .withName("ops"));

  /** Whether a probe that the kernel has filled lists the operation as supported. */
  static boolean isSupported(MemorySegment probe, int operation) {
    if (operation >= Byte.toUnsignedInt(probe.get(JAVA_BYTE, 1))) {
      return false;
    }
    return (probe.get(JAVA_SHORT, 16 + 8L * operation + 2) & 1) != 0;
  }

  /** {@code struct io_uring_buf_reg}. */
  static final MemoryLayout BUFFER_REGISTRATION =
      structLayout(
          JAVA_LONG.withName("ring_addr"),
          JAVA_INT.withName("ring_entries"),
          JAVA_SHORT.withName("bgid"),
          JAVA_SHORT.withName("flags"),
          paddingLayout(24));

  static void describeBuffers(MemorySegment registration, long address, int entries, int group) {
    registration.fill((byte) 0);
    registration.set(JAVA_LONG, 0, address);
    registration.set(JAVA_INT, 8, entries);
    registration.set(JAVA_SHORT, 12, (short) group);
  }
}
