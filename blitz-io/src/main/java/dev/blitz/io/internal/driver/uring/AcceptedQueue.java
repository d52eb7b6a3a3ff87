package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.base.SpinLock;
import dev.blitz.io.internal.driver.posix.PosixCalls;

/**
 * Connections that have come in and nobody has accepted yet, and the failure that ended the accept.
 * One for which there is no memory is closed: it must not stay open with nobody who knows of it.
 * Thread safe.
 */
class AcceptedQueue {
  private final SpinLock lock = new SpinLock();
  private int[] numbers = new int[4];
  private int head;
  private int count;
  private int failure;
  private boolean closed;

  /** Adds a descriptor, or closes it if it cannot be kept; how many wait now. */
  final int add(int number) {
    boolean refused;
    int waiting;
    lock.lock();
    try {
      refused = closed || !hasRoom();
      if (!refused) {
        numbers[(head + count) & (numbers.length - 1)] = number;
        count++;
      }
      waiting = count;
    } finally {
      lock.unlock();
    }
    if (refused) {
      PosixCalls.close(number);
    }
    return waiting;
  }

  private boolean hasRoom() {
    if (count < numbers.length) {
      return true;
    }
    try {
      int[] more = larger(2 * count);
      System.arraycopy(numbers, head, more, 0, count - head);
      System.arraycopy(numbers, 0, more, count - head, head);
      numbers = more;
      head = 0;
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** Overridden by a test. */
  int[] larger(int length) {
    return new int[length];
  }

  /** The oldest, or -1. */
  final int poll() {
    lock.lock();
    try {
      if (count == 0) {
        return -1;
      }
      int number = numbers[head];
      head = (head + 1) & (numbers.length - 1);
      count--;
      return number;
    } finally {
      lock.unlock();
    }
  }

  final void fail(int errno) {
    lock.lock();
    failure = errno;
    lock.unlock();
  }

  /** The errno that ended the accept, once; or 0. */
  final int takeFailure() {
    lock.lock();
    int errno = failure;
    failure = 0;
    lock.unlock();
    return errno;
  }

  /** Closes what waits, and whatever is added later. */
  final void close() {
    lock.lock();
    closed = true;
    lock.unlock();
    for (int number = poll(); number >= 0; number = poll()) {
      PosixCalls.close(number);
    }
  }
}
