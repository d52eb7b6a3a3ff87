package dev.blitz.io.internal.driver.epoll;

import dev.blitz.io.internal.driver.NoDescriptorException;
import dev.blitz.io.internal.driver.readiness.Poller;
import dev.blitz.io.internal.driver.socket.CallFrame;
import dev.blitz.io.internal.driver.socket.Descriptor;
import dev.blitz.io.internal.driver.socket.SocketAbi;
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
  private final MemorySegment one = EpollAbi.allocateOne(Arena.ofAuto());

  /** Where a reset puts the old count; only the watcher uses it. */
  private final MemorySegment scratch = EpollAbi.allocateOne(Arena.ofAuto());

  private EpollPoller(Descriptor epoll, Descriptor counter) {
    this.epoll = epoll;
    this.counter = counter;
  }

  static EpollPoller open() throws IOException {
    try (var arena = Arena.ofConfined()) {
      MemorySegment errno = EpollCalls.allocateErrno(arena);
      int fd = EpollCalls.create(errno);
      if (fd < 0) {
        throw SocketErrors.of("epoll_create1", -fd);
      }
      var epoll = new Descriptor(fd);
      int eventFd = EpollCalls.eventCounter(errno);
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

  private void add(int fd, int events, long key) throws IOException {
    if (!epoll.tryUse()) {
      throw new ClosedChannelException();
    }
    CallFrame frame = CallFrame.take();
    try {
      int r = EpollCalls.add(frame, epoll.number(), fd, events, key);
      if (r == -SocketAbi.ENOSPC) {
        throw new NoDescriptorException(
            "epoll_ctl: no more descriptors may be watched; see fs.epoll.max_user_watches");
      }
      if (r < 0) {
        throw SocketErrors.of("epoll_ctl", -r);
      }
    } finally {
      frame.giveBack();
      epoll.release();
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
        EpollCalls.count(counter.number(), one);
      } finally {
        counter.release();
      }
    }
  }

  private void resetWake() {
    if (counter.tryUse()) {
      try {
        EpollCalls.reset(counter.number(), scratch);
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
