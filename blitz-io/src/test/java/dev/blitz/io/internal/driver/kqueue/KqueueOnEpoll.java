package dev.blitz.io.internal.driver.kqueue;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The calls of kqueue, made of epoll, for a machine that has no other: with the layout and the
 * numbers of any system, and without the hints that epoll has and kqueue has not.
 */
/* Implementation notes
 *
 * One registration with epoll stands for both filters of a descriptor, edge-triggered as EV_CLEAR. What an event of epoll brings beyond
 * the room of a caller is kept in `left` for the next. The user's event is a counter that is never reset: each write is an
 * edge, which one caller gets.
 */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
public final class KqueueOnEpoll implements KqueueCalls {
  private static final MethodHandle CREATE = LibcCalls.intCall("epoll_create1", JAVA_INT);
  private static final MethodHandle CONTROL =
      LibcCalls.intCall("epoll_ctl", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle WAIT =
      LibcCalls.intCall("epoll_wait", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);

  private static final int CLOEXEC = 0x80000;
  private static final int ADD = 1;
  private static final int DELETE = 2;
  private static final int MODIFY = 3;
  private static final int IN = 0x1;
  private static final int OUT = 0x4;
  private static final int ERR = 0x8;
  private static final int HUP = 0x10;
  private static final int RDHUP = 0x2000;
  private static final int EDGE = 1 << 31;
  private static final int EVENT_BYTES = System.getProperty("os.arch").equals("amd64") ? 12 : 16;

  private record Entry(long readKey, long writeKey, int events) {
    static final Entry NONE = new Entry(0, 0, 0);
  }

  private record Event(long ident, int filter, int flags, int note, long key) {}

  private static final class Queue extends Descriptor {
    final int counter;
    final Map<Long, Entry> entries = new ConcurrentHashMap<>();
    final ConcurrentLinkedQueue<Event> left = new ConcurrentLinkedQueue<>();
    private final Map<Integer, Queue> all;

    Queue(int number, int counter, Map<Integer, Queue> all) {
      super(number);
      this.counter = counter;
      this.all = all;
    }

    @Override
    protected void closeUnused() {
      all.remove(number(), this);
      PosixCalls.close(counter);
      super.closeUnused();
    }
  }

  private final KqueueAbi abi;
  private final Map<Integer, Queue> queues = new ConcurrentHashMap<>();

  KqueueOnEpoll(KqueueAbi abi) {
    this.abi = abi;
  }

  /** A backend on it, called {@code name}, which looks as FreeBSD does. */
  public static Backend backend(String name) {
    return new KqueueBackend(name, new KqueueOnEpoll(KqueueAbi.FREEBSD));
  }

  @Override
  public KqueueAbi abi() {
    return abi;
  }

  @Override
  public Descriptor open() throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      int fd = (int) CREATE.invokeExact(frame.errno(), CLOEXEC);
      PosixErrors.check("kqueue", fd >= 0 ? fd : LibcCalls.failure(frame.errno()));
      int counter = PosixCalls.eventCounter(frame);
      if (counter < 0) {
        PosixCalls.close(fd);
        throw PosixErrors.of("kqueue", -counter);
      }
      var queue = new Queue(fd, counter, queues);
      queues.put(fd, queue);
      return queue;
    } catch (IOException e) {
      throw e;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    } finally {
      frame.giveBack();
    }
  }

  @Override
  public void change(int queue, MemorySegment change) {
    try (var arena = Arena.ofConfined()) {
      change(queues.get(queue), change, 0, LibcCalls.allocateErrno(arena), arena);
    }
  }

  @Override
  public int kevent(
      MemorySegment errno,
      int number,
      MemorySegment changes,
      int changeCount,
      MemorySegment events,
      int room,
      MemorySegment timeout) {
    Queue queue = queues.get(number);
    try (var arena = Arena.ofConfined()) {
      int answers = 0;
      for (int i = 0; i < changeCount; i++) {
        long ident = abi.ident(changes, i);
        int filter = abi.filter(changes, i);
        int flags = abi.flags(changes, i);
        long key = abi.userData(changes, i);
        int r = change(queue, changes, i, errno, arena);
        if ((flags & KqueueAbi.EV_RECEIPT) != 0 && answers < room) {
          abi.set(events, answers, ident, filter, KqueueAbi.EV_ERROR, 0, key);
          abi.setData(events, answers++, -r);
        } else if (r < 0) {
          return r;
        }
      }
      if (answers > 0 || room == 0) {
        return answers;
      }
      return await(queue, errno, events, room, timeout, arena);
    }
  }

  /** 0, or {@code -errno}. */
  private int change(
      Queue queue, MemorySegment changes, int index, MemorySegment errno, Arena arena) {
    int filter = abi.filter(changes, index);
    int flags = abi.flags(changes, index);
    if (filter == abi.userFilter()) {
      if ((flags & KqueueAbi.EV_ADD) != 0) {
        return control(queue, errno, ADD, queue.counter, IN | EDGE, arena);
      }
      if ((abi.note(changes, index) & KqueueAbi.NOTE_TRIGGER) != 0) {
        PosixCalls.count(queue.counter);
      }
      return 0;
    }
    long ident = abi.ident(changes, index);
    long key = abi.userData(changes, index);
    boolean reads = filter == KqueueAbi.EVFILT_READ;
    int bits = reads ? IN | RDHUP : OUT;
    synchronized (queue) { // held by nobody who waits
      Entry now = queue.entries.getOrDefault(ident, Entry.NONE);
      if ((flags & KqueueAbi.EV_DELETE) != 0) {
        if ((now.events & bits) == 0) {
          return -Errno.ENOENT;
        }
        int rest = now.events & ~bits;
        queue.entries.put(ident, new Entry(now.readKey, now.writeKey, rest));
        return control(queue, errno, rest == 0 ? DELETE : MODIFY, (int) ident, rest | EDGE, arena);
      }
      // Another user of the number: the kernel has forgotten the one before.
      int kept = (now.events & IN) != 0 && now.readKey != key ? 0 : now.events;
      kept = (now.events & OUT) != 0 && now.writeKey != key ? 0 : kept;
      var next = new Entry(reads ? key : now.readKey, reads ? now.writeKey : key, kept | bits);
      queue.entries.put(ident, next);
      int r = control(queue, errno, ADD, (int) ident, next.events | EDGE, arena);
      return r == -Errno.EEXIST
          ? control(queue, errno, MODIFY, (int) ident, next.events | EDGE, arena)
          : r;
    }
  }

  private static int control(
      Queue queue, MemorySegment errno, int what, int fd, int events, Arena arena) {
    MemorySegment event = arena.allocate(EVENT_BYTES, 8);
    event.set(JAVA_INT, 0, events);
    event.set(JAVA_LONG_UNALIGNED, EVENT_BYTES - 8, fd);
    try {
      int r = (int) CONTROL.invokeExact(errno, queue.number(), what, fd, event);
      return r >= 0 ? 0 : LibcCalls.failure(errno);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  private int await(
      Queue queue,
      MemorySegment errno,
      MemorySegment events,
      int room,
      MemorySegment timeout,
      Arena arena) {
    int n = 0;
    for (Event one = queue.left.poll(); one != null; one = n < room ? queue.left.poll() : null) {
      put(events, n++, one);
    }
    if (n == room) {
      return n;
    }
    int millis = n > 0 ? 0 : millis(timeout);
    MemorySegment found = arena.allocate((long) EVENT_BYTES * room, 8);
    int got;
    try {
      got = (int) WAIT.invokeExact(errno, queue.number(), found, room - n, millis);
      if (got < 0) {
        return LibcCalls.failure(errno);
      }
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
    for (int i = 0; i < got; i++) {
      int bits = found.get(JAVA_INT, (long) i * EVENT_BYTES);
      long ident = found.get(JAVA_LONG_UNALIGNED, (long) i * EVENT_BYTES + EVENT_BYTES - 8);
      n = split(queue, ident, bits, events, n, room);
    }
    return n;
  }

  private int split(Queue queue, long ident, int bits, MemorySegment events, int n, int room) {
    if (ident == queue.counter) {
      return put(queue, events, n, room, new Event(0, abi.userFilter(), 0, 0, 0));
    }
    Entry entry = queue.entries.getOrDefault(ident, Entry.NONE);
    int next = n;
    int note = (bits & ERR) != 0 ? Errno.ECONNRESET : 0;
    if ((entry.events & IN) != 0 && (bits & (IN | RDHUP | HUP | ERR)) != 0) {
      int flags = (bits & (RDHUP | HUP | ERR)) != 0 ? KqueueAbi.EV_EOF : 0;
      var event = new Event(ident, KqueueAbi.EVFILT_READ, flags, note, entry.readKey);
      next = put(queue, events, next, room, event);
    }
    if ((entry.events & OUT) != 0 && (bits & (OUT | HUP | ERR)) != 0) {
      int flags = (bits & (HUP | ERR)) != 0 ? KqueueAbi.EV_EOF : 0;
      var event = new Event(ident, KqueueAbi.EVFILT_WRITE, flags, note, entry.writeKey);
      next = put(queue, events, next, room, event);
    }
    return next;
  }

  private int put(Queue queue, MemorySegment events, int n, int room, Event event) {
    if (n == room) {
      queue.left.add(event);
      return n;
    }
    put(events, n, event);
    return n + 1;
  }

  private void put(MemorySegment events, int index, Event event) {
    abi.set(events, index, event.ident, event.filter, event.flags, event.note, event.key);
  }

  private static int millis(MemorySegment timeout) {
    if (timeout.equals(MemorySegment.NULL)) {
      return -1;
    }
    long nanos = KqueueAbi.timespecNanos(timeout);
    return (int) Math.min(Integer.MAX_VALUE, (nanos + 999_999) / 1_000_000);
  }
}
