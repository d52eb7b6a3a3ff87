package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.socket.SocketCalls;
import java.lang.foreign.Arena;
import java.util.List;
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

  /** What the driver submits for sockets; files ask for what they use. */
  static final List<Integer> NEEDED_OPERATIONS =
      List.of(
          SubmissionAbi.OP_POLL_ADD,
          SubmissionAbi.OP_ACCEPT,
          SubmissionAbi.OP_ASYNC_CANCEL,
          SubmissionAbi.OP_RECV,
          SubmissionAbi.OP_SEND);

  /** Makes a small ring, receives one byte with it and closes it. */
  static UringFindings gather() {
    UringRing ring;
    try {
      ring = new UringRing(8, 16);
    } catch (UringException e) {
      // A kernel that knows rings but not our flags: the features say how old it is.
      return e.errno() == Errno.EINVAL
          ? gatherOld()
          : new UringFindings(e.errno(), 0, false, 0, false);
    }
    try (ring;
        Arena scratch = Arena.ofConfined()) {
      boolean operations = operations(ring);
      try (BufferRing buffers = new BufferRing(ring, 0, 2, 64)) {
        boolean multishot = staysArmed(ring, buffers, scratch);
        return new UringFindings(0, ring.features(), operations, 0, multishot);
      } catch (UringException e) {
        return new UringFindings(0, ring.features(), operations, e.errno(), false);
      }
    }
  }

  private static UringFindings gatherOld() {
    try (UringRing ring = new UringRing(8, 16, 0)) {
      boolean operations = operations(ring);
      return new UringFindings(0, ring.features(), operations, Errno.EINVAL, false);
    } catch (UringException e) {
      return new UringFindings(e.errno(), 0, false, 0, false);
    }
  }

  private static boolean operations(UringRing ring) {
    long[] known = KnownOperations.of(ring);
    for (int operation : NEEDED_OPERATIONS) {
      if (!KnownOperations.contains(known, operation)) {
        return false;
      }
    }
    return true;
  }

  /** Receives one byte over a local pair; the receive must still be armed then. */
  private static boolean staysArmed(UringRing ring, BufferRing buffers, Arena scratch) {
    int[] pair = localPair();
    int reader = pair[0];
    int writer = pair[1];
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
      PosixCalls.close(writer); // ends the receive: the buffers may go
      PosixCalls.close(reader);
      ring.submitAndWait(1_000_000_000L);
    }
  }

  /** Two connected local sockets. */
  static int[] localPair() {
    int[] pair = new int[2];
    CallFrame frame = CallFrame.take();
    try {
      int result = SocketCalls.pair(frame, pair);
      if (result < 0) {
        throw new UringException("socketpair", -result);
      }
      return pair;
    } finally {
      frame.giveBack();
    }
  }

  /** Why the driver cannot be had, in words for the user; empty if it can. */
  Optional<String> obstacle() {
    if (setupErrno != 0) {
      return Optional.of(
          "io_uring_setup: " + UringException.describe(setupErrno) + hint(setupErrno));
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
              + UringException.describe(buffersErrno)
              + (buffersErrno == Errno.ENOMEM ? hint(Errno.ENOMEM) : "; Linux 5.19 has it"));
    }
    if (!multishot) {
      return Optional.of("no multishot receive; Linux 6.0 has it");
    }
    return Optional.empty();
  }

  /** What may help against it, if that is known. */
  static String hint(int errno) {
    return switch (errno) {
      case Errno.EPERM -> "; forbidden by a seccomp filter or by sysctl kernel.io_uring_disabled";
      case Errno.ENOMEM -> "; raise the limit of locked memory (ulimit -l)";
      case Errno.ENOSYS -> "; the kernel has no io_uring, or a filter hides it";
      default -> "";
    };
  }
}
