package dev.blitz.io.internal.driver.epoll;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.NoDescriptorException;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.readiness.Poller;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;

/** The epoll descriptor, edge-triggered, and the event counter by which its watcher is woken. */
final class EpollPoller implements Poller {
  /** What the counter is registered with; no slot table gives out this number. */
  static final long WAKE = 0;

  private final Descriptor epoll;
  private final Descriptor counter;

  /** Where a reset puts the old count; only the watcher uses it. */
  private final MemorySegment scratch = EpollAbi.allocateOne(Arena.ofAuto());

  private EpollPoller(Descriptor epoll, Descriptor counter) {
    this.epoll = epoll;
    this.counter = counter;
  }

  static EpollPoller open() throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      int fd = EpollCalls.create(frame.errno());
      if (fd < 0) {
        throw SocketErrors.of("epoll_create1", -fd);
      }
      var epoll = new Descriptor(fd);
      int eventFd = PosixCalls.eventCounter(frame);
      if (eventFd < 0) {
        epoll.close();
        throw SocketErrors.of("eventfd", -eventFd);
      }
      var instance = new EpollPoller(epoll, new Descriptor(eventFd));
      try {
        // Level-triggered, unlike all others: a worker that looks in beside the watcher must not
        // take the wake away from it. The watcher resets the counter.
        instance.add(eventFd, EpollAbi.EPOLLIN, WAKE);
      } catch (IOException e) {
        instance.close();
        throw e;
      }
      return instance;
    } finally {
      frame.giveBack();
    }
  }

  @Override
  public Events newEvents() {
    return new EpollEvents();
  }

  @Override
  public boolean staysArmed() {
    return true;
  }

  @Override
  public void arm(int fd, int interest, long key) throws IOException {
    add(fd, interest | EpollAbi.EPOLLET, key);
  }

  /** Both sides of an endpoint may come at a time, for the same: the second one changes nothing. */
  private void add(int fd, int events, long key) throws IOException {
    CallFrame frame = CallFrame.take(); // first: it may find no memory
    try {
      if (!epoll.tryUse()) {
        throw new ClosedChannelException();
      }
      int r;
      try {
        r = EpollCalls.add(frame, epoll.number(), fd, events, key);
      } finally {
        epoll.release();
      }
      if (r == -Errno.EEXIST) {
        return;
      }
      if (r == -Errno.EPERM) {
        throw new IOException("a descriptor of this kind cannot be waited for");
      }
      if (r == -Errno.ENOSPC) {
        throw new NoDescriptorException(
            "epoll_ctl: no more descriptors may be watched; see fs.epoll.max_user_watches");
      }
      if (r < 0) {
        throw SocketErrors.of("epoll_ctl", -r);
      }
    } finally {
      frame.giveBack();
    }
  }

  @Override
  public void disarmShared(int fd) {
    CallFrame frame = CallFrame.take();
    try {
      if (epoll.tryUse()) {
        try {
          EpollCalls.remove(frame, epoll.number(), fd);
        } finally {
          epoll.release();
        }
      }
    } finally {
      frame.giveBack();
    }
  }

  @Override
  public void await(Events into, long nanos) {
    var batch = (EpollEvents) into;
    take(batch, nanos);
    if (batch.takeWake()) {
      resetWake();
    }
  }

  @Override
  public void look(Events into) {
    take((EpollEvents) into, 0);
  }

  private void take(EpollEvents batch, long nanos) {
    if (epoll.tryUse()) {
      try {
        batch.await(epoll.number(), nanos);
      } finally {
        epoll.release();
      }
    }
  }

  @Override
  public void wake() {
    if (counter.tryUse()) {
      try {
        PosixCalls.count(counter.number());
      } finally {
        counter.release();
      }
    }
  }

  private void resetWake() {
    if (counter.tryUse()) {
      try {
        PosixCalls.reset(counter.number(), scratch);
      } finally {
        counter.release();
      }
    }
  }

  @Override
  public void close() {
    epoll.close();
    counter.close();
  }
}
