package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.CountedArena;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.lang.foreign.MemorySegment;

/**
 * One io_uring: entries go in, completions come out. Knows nothing of what they mean.
 *
 * <p>The submission side ({@link #claim}, {@link #push}, {@link #submit}, {@link #submitAndWait})
 * belongs to one thread at a time, the completion side ({@link #ready} to {@link #consume}) to one
 * thread at a time, and the two may be different threads. Nothing here allocates after creation.
 */
/* Implementation notes
 *
 * Orderings; all words lie in the mapping shared with the kernel:
 *   word              | written by            | read by            | mode, and what it carries
 *   submission tail   | push (release)        | kernel (acquire)   | the entries before it are complete
 *   submission head   | kernel (release)      | claim (acquire)    | the kernel has copied the entries before it
 *   completion tail   | kernel (release)      | ready (acquire)    | the completions before it are complete
 *   completion head   | consume (release)     | kernel (acquire)   | we have copied the completions before it
 *   submission flags  | kernel                | isOverflown        | volatile hint; the kernel keeps the completions
 *
 * A claimed entry becomes visible to the kernel with push. Both are called by the submission side's owner, so
 * `tail` needs no order of its own; when the owner changes, the hand-over carries it.
 *
 * Without a polling kernel thread the kernel takes entries only inside io_uring_enter, so `tail - head` is what
 * the next enter has to submit, also after a partial submission. The call states and the wait argument are
 * native memory that lives as long as the ring: the kernel reads them during the call only. A wait has a
 * call state of its own, as another thread may submit meanwhile.
 */
final class UringRing implements AutoCloseable {

  private final CountedArena arena;
  private final int fd;
  private final UringAbi.Geometry geometry;
  private final MemorySegment ring;
  private final MemorySegment entries;
  private final MemorySegment callState;
  private final MemorySegment waitState;
  private final MemorySegment waitArgument;
  private final int submissionMask;
  private final int completionMask;

  /** Counts claimed entries; what push has published. */
  private int tail;

  /** Counts consumed completions; a copy of the shared head, which only we write. */
  private int completionHead;

  /**
   * Makes a ring.
   *
   * @param submissions entries of the submission queue, rounded up to a power of two
   * @param completions entries of the completion queue, at least as many
   * @throws UringException if the kernel refuses, with the reason
   */
  UringRing(int submissions, int completions) {
    this(submissions, completions, UringAbi.SETUP_SUBMIT_ALL);
  }

  UringRing(int submissions, int completions, int setupFlags) {
    arena = CountedArena.open("io_uring");
    int opened = -1;
    try {
      MemorySegment params = arena.allocate(UringAbi.PARAMS);
      int flags = UringAbi.SETUP_CQSIZE | UringAbi.SETUP_CLAMP | setupFlags;
      UringAbi.request(params, flags, completions);
      opened = UringCalls.setup(submissions, params);
      if (opened < 0) {
        throw new UringException("io_uring_setup", -opened);
      }
      geometry = UringAbi.geometry(params);
      if ((geometry.features() & UringAbi.FEATURE_SINGLE_MMAP) == 0) {
        throw new UringException("io_uring without single mmap", Errno.ENOSYS);
      }
      ring = UringCalls.map(opened, UringAbi.OFF_RINGS, geometry.ringBytes(), arena);
      entries =
          UringCalls.map(
              opened, UringAbi.OFF_SUBMISSION_ENTRIES, geometry.submissionBytes(), arena);
      callState = LibcCalls.allocateUnlockedErrno(arena);
      waitState = LibcCalls.allocateUnlockedErrno(arena);
      waitArgument = arena.allocate(UringAbi.WAIT_ARGUMENT);
      UringAbi.initWaitArgument(waitArgument);
    } catch (Throwable t) {
      if (opened >= 0) {
        PosixCalls.close(opened);
      }
      arena.close();
      throw t;
    }
    fd = opened;
    submissionMask = geometry.submissionEntries() - 1;
    completionMask = geometry.completionEntries() - 1;
    for (int i = 0; i <= submissionMask; i++) {
      MemoryAbi.setInt(ring, geometry.submissionArray() + 4L * i, i);
    }
  }

  int descriptor() {
    return fd;
  }

  int features() {
    return geometry.features();
  }

  int submissionCapacity() {
    return geometry.submissionEntries();
  }

  int completionCapacity() {
    return geometry.completionEntries();
  }

  // --- Submission side ---

  /** Where to write the next entry, with the writers of {@link SubmissionAbi}. */
  MemorySegment entries() {
    return entries;
  }

  /**
   * A free entry, as an offset into {@link #entries}; it counts once it is {@link #push}ed. If the
   * queue is full, what is in it is submitted first.
   *
   * @return -1 if the kernel takes no entries now, because completions have to be consumed first
   */
  long claim() {
    if (pending() > submissionMask) {
      submit();
      if (pending() > submissionMask) {
        return -1;
      }
    }
    return entryAt(tail);
  }

  /** The entry that {@link #claim} gave out is complete. */
  void push() {
    tail++;
    MemoryAbi.setIntRelease(ring, geometry.submissionTail(), tail);
  }

  /** The number of the entry that the next {@link #push} publishes; it wraps around. */
  int nextEntry() {
    return tail;
  }

  /** Where the entry of that number lies. */
  long entryAt(int number) {
    return (number & submissionMask) * SubmissionAbi.BYTES;
  }

  /**
   * The number of the first entry that the kernel has not taken. What it has taken before has been
   * issued, and if it completed at once its completion is there.
   */
  int firstNotTaken() {
    return MemoryAbi.getIntAcquire(ring, geometry.submissionHead());
  }

  /** How many entries the next submission hands to the kernel. */
  int pending() {
    return tail - MemoryAbi.getIntAcquire(ring, geometry.submissionHead());
  }

  /**
   * Hands all entries to the kernel, without waiting.
   *
   * @return false if the kernel could not take them now
   */
  boolean submit() {
    int count = pending();
    return count == 0 || enter(callState, count, 0, 0, 0, 0);
  }

  /** As {@link #submit}; the kernel also moves what overflowed into the completion queue. */
  void flush() {
    enter(callState, pending(), 0, UringAbi.ENTER_GETEVENTS, 0, 0);
  }

  /** As {@link #flush}, and takes no memory; false if it was refused, for whatever reason. */
  boolean tryFlush() {
    return UringCalls.tryEnter(fd, pending(), UringAbi.ENTER_GETEVENTS);
  }

  /** {@link #submitAndWait(int, long)} for whoever owns both sides. */
  void submitAndWait(long timeoutNanos) {
    submitAndWait(pending(), timeoutNanos);
  }

  /**
   * Hands entries to the kernel and waits for a completion, in one system call. Others may use the
   * submission side meanwhile: an entry counted here and submitted by them is no matter.
   *
   * @param count what {@link #pending} said
   * @param timeoutNanos {@link Long#MAX_VALUE} for as long as it takes
   * @return false if the kernel could not do it now, and has not waited
   */
  boolean submitAndWait(int count, long timeoutNanos) {
    if (timeoutNanos == Long.MAX_VALUE) {
      return enter(waitState, count, 1, UringAbi.ENTER_GETEVENTS, 0, 0);
    } else {
      UringAbi.waitAtMost(waitArgument, Math.max(0, timeoutNanos));
      return enter(
          waitState,
          count,
          1,
          UringAbi.ENTER_GETEVENTS | UringAbi.ENTER_EXT_ARG,
          waitArgument.address(),
          UringAbi.WAIT_ARGUMENT_SIZE);
    }
  }

  private boolean enter(
      MemorySegment state, int submit, int complete, int flags, long argument, long size) {
    int taken = UringCalls.enter(state, fd, submit, complete, flags, argument, size);
    if (taken < 0) {
      switch (-taken) {
        case Errno.EINTR, Errno.ETIME -> {} // nothing came; whoever waits looks at its own clock
        case Errno.EAGAIN, Errno.EBUSY -> {
          return false; // completions first: what was not taken is still pending
        }
        default -> throw new UringException("io_uring_enter", -taken);
      }
    }
    return true;
  }

  // --- Completion side ---

  /** How many completions are there. */
  int ready() {
    return MemoryAbi.getIntAcquire(ring, geometry.completionTail()) - completionHead;
  }

  /** Whether anybody might find a completion; a hint for threads that do not own this side. */
  boolean seemsReady() {
    return MemoryAbi.getIntAcquire(ring, geometry.completionTail())
        != MemoryAbi.getIntAcquire(ring, geometry.completionHead());
  }

  /**
   * Completions wait in the kernel for want of room: consume what is ready, then let the kernel
   * move them by {@link #flush}.
   */
  boolean isOverflown() {
    int flags = MemoryAbi.getIntAcquire(ring, geometry.submissionFlags());
    return (flags & UringAbi.RING_COMPLETIONS_OVERFLOWN) != 0;
  }

  /**
   * The kernel has work to do for this ring when its submitter next enters the kernel; {@link
   * #flush} lets it. A hint, which may be stale, and only of rings that were made to give it.
   */
  boolean hasDeferredWork() {
    int flags = MemoryAbi.getIntAcquire(ring, geometry.submissionFlags());
    return (flags & UringAbi.RING_WORK_DEFERRED) != 0;
  }

  long userData(int i) {
    return CompletionAbi.userData(ring, at(i));
  }

  int result(int i) {
    return CompletionAbi.result(ring, at(i));
  }

  int flags(int i) {
    return CompletionAbi.flags(ring, at(i));
  }

  private long at(int i) {
    int slot = (completionHead + i) & completionMask;
    return geometry.completionEntriesStart() + slot * CompletionAbi.BYTES;
  }

  /** Gives the first {@code count} ready completions' room back to the kernel. */
  void consume(int count) {
    completionHead += count;
    MemoryAbi.setIntRelease(ring, geometry.completionHead(), completionHead);
  }

  /**
   * Lets the kernel end everything that is armed here, though it lets nobody enter: the ring itself
   * is gone afterwards. For other threads its memory stays, with nothing in it, and its number too,
   * as a duplicate of {@code standIn}. By who owns both sides; nothing may be submitted after.
   */
  void giveUp(int standIn) {
    UringCalls.unmapInPlace(ring); // a mapping keeps a ring as well as a descriptor does
    UringCalls.unmapInPlace(entries);
    completionHead = 0;
    tail = 0;
    PosixCalls.replace(fd, standIn);
  }

  /**
   * Closes the descriptor, which cancels what is pending, and unmaps. Memory that operations may
   * still write to must outlive their completions, not this call.
   */
  @Override
  public void close() {
    try {
      PosixCalls.close(fd);
    } finally {
      arena.close();
    }
  }
}
