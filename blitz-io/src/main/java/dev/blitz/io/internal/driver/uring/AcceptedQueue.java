package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.base.SpinLock;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.util.Arrays;

/**
 * Connections that have come in and nobody has accepted yet, and the failure that ended the accept.
 * Thread safe.
 */
final class AcceptedQueue {
  private final SpinLock lock = new SpinLock();
  private int[] numbers = new int[4];
  private int head;
  private int count;
  private int failure;
  private boolean closed;

  /** Adds a descriptor, or closes it if nobody will ask for it; how many wait now. */
  int add(int number) {
    boolean refused;
    int waiting;
    lock.lock();
    try {
      refused = closed;
      if (!refused) {
        if (count == numbers.length) {
          int[] larger = Arrays.copyOfRange(numbers, head, head + 2 * count);
          System.arraycopy(numbers, 0, larger, count - head, head);
          numbers = larger;
          head = 0;
        }
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

  /** The oldest, or -1. */
  int poll() {
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

  void fail(int errno) {
    lock.lock();
    failure = errno;
    lock.unlock();
  }

  /** The errno that ended the accept, once; or 0. */
  int takeFailure() {
    lock.lock();
    int errno = failure;
    failure = 0;
    lock.unlock();
    return errno;
  }

  /** Closes what waits, and whatever is added later. */
  void close() {
    lock.lock();
    closed = true;
    lock.unlock();
    for (int number = poll(); number >= 0; number = poll()) {
      PosixCalls.close(number);
    }
  }
}
