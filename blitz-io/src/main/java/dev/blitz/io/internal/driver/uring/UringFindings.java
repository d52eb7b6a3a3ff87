package dev.blitz.io.internal.driver.uring;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * What trying io_uring on this machine has found.
 *
 * @param setupErrno why no ring could be made, or 0
 * @param features the kernel's feature bits
 * @param operations whether all operations that the driver submits are known
 * @param buffersErrno why buffers could not be registered, or 0
 * @param multishot whether a receive stayed armed after its first completion
 */
record UringFindings(
    int setupErrno, int features, boolean operations, int buffersErrno, boolean multishot) {

  private static final int EPERM = 1;
  private static final int ENOMEM = 12;
  private static final int EINVAL = 22;
  private static final int ENOSYS = 38;

  private static final int[] NEEDED_OPERATIONS = {
    SubmissionAbi.OP_POLL_ADD,
    SubmissionAbi.OP_ACCEPT,
    SubmissionAbi.OP_ASYNC_CANCEL,
    SubmissionAbi.OP_RECV,
    SubmissionAbi.OP_SEND,
  };

  /** Makes a small ring, receives one byte with it and closes it. */
  static UringFindings gather() {
    UringRing ring;
    try {
      ring = new UringRing(8, 16);
    } catch (UringException e) {
      // A kernel that knows rings but not our flags: the features say how old it is.
      return e.errno() == EINVAL ? gatherOld() : new UringFindings(e.errno(), 0, false, 0, false);
    }
    try (ring;
        Arena scratch = Arena.ofConfined()) {
      boolean operations = operations(ring, scratch);
      try (BufferRing buffers = new BufferRing(ring, 0, 2, 64)) {
        boolean multishot = staysArmed(ring, buffers, scratch);
        return new UringFindings(0, ring.features(), operations, 0, multishot);
      } catch (UringException e) {
        return new UringFindings(0, ring.features(), operations, e.errno(), false);
      }
    }
  }

  private static UringFindings gatherOld() {
    try (UringRing ring = new UringRing(8, 16, 0);
        Arena scratch = Arena.ofConfined()) {
      boolean operations = operations(ring, scratch);
      return new UringFindings(0, ring.features(), operations, EINVAL, false);
    } catch (UringException e) {
      return new UringFindings(e.errno(), 0, false, 0, false);
    }
  }

  private static boolean operations(UringRing ring, Arena scratch) {
    MemorySegment probe = scratch.allocate(UringAbi.PROBE);
    int fd = ring.descriptor();
    if (UringCalls.register(fd, UringAbi.REGISTER_PROBE, probe, UringAbi.PROBE_OPS) < 0) {
      return false;
    }
    for (int operation : NEEDED_OPERATIONS) {
      if (!UringAbi.isSupported(probe, operation)) {
        return false;
      }
    }
    return true;
  }

  /** Receives one byte over a local pair; the receive must still be armed then. */
  private static boolean staysArmed(UringRing ring, BufferRing buffers, Arena scratch) {
    MemorySegment pair = scratch.allocate(8, 4);
    int result = UringCalls.socketPair(pair);
    if (result < 0) {
      throw new UringException("socketpair", -result);
    }
    int reader = MemoryAbi.getInt(pair, 0);
    int writer = MemoryAbi.getInt(pair, 4);
    try {
      long at = ring.claim();
      SubmissionAbi.receiveMany(ring.entries(), at, reader, buffers.group(), 1);
      ring.push();
      at = ring.claim();
      SubmissionAbi.send(ring.entries(), at, writer, scratch.allocate(1).address(), 1, 2);
      ring.push();
      boolean armed = false;
      for (int seen = 0; seen < 2; ) {
        ring.submitAndWait(1_000_000_000L);
        int ready = ring.ready();
        if (ready == 0) {
          return false;
        }
        for (int i = 0; i < ready; i++) {
          if (ring.userData(i) == 1) {
            armed = ring.result(i) == 1 && !CompletionAbi.isLast(ring.flags(i));
          }
        }
        ring.consume(ready);
        seen += ready;
      }
      return armed;
    } finally {
      UringCalls.close(writer); // ends the receive: the buffers may go
      UringCalls.close(reader);
      ring.submitAndWait(1_000_000_000L);
    }
  }

  /** Why the driver cannot be had, in words for the user; empty if it can. */
  Optional<String> obstacle() {
    if (setupErrno != 0) {
      return Optional.of("io_uring_setup: " + UringCalls.describe(setupErrno) + hint(setupErrno));
    }
    int needed =
        UringAbi.FEATURE_SINGLE_MMAP
            | UringAbi.FEATURE_NODROP
            | UringAbi.FEATURE_FAST_POLL
            | UringAbi.FEATURE_EXT_ARG;
    if ((features & needed) != needed) {
      return Optional.of(
          "the kernel lacks features 0x"
              + Integer.toHexString(needed & ~features)
              + "; Linux 6.0 has all that is needed");
    }
    if (!operations) {
      return Optional.of("the kernel lacks operations; Linux 6.0 has all that is needed");
    }
    if (buffersErrno != 0) {
      return Optional.of(
          "no provided-buffer ring: "
              + UringCalls.describe(buffersErrno)
              + (buffersErrno == ENOMEM ? hint(ENOMEM) : "; Linux 5.19 has it"));
    }
    if (!multishot) {
      return Optional.of("no multishot receive; Linux 6.0 has it");
    }
    return Optional.empty();
  }

  private static String hint(int errno) {
    return switch (errno) {
      case EPERM -> "; forbidden by a seccomp filter or by sysctl kernel.io_uring_disabled";
      case ENOMEM -> "; raise the limit of locked memory (ulimit -l)";
      case ENOSYS -> "; the kernel has no io_uring, or a filter hides it";
      default -> "";
    };
  }
}
