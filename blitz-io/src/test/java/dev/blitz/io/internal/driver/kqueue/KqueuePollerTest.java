package dev.blitz.io.internal.driver.kqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.NoDescriptorException;
import dev.blitz.io.internal.driver.posix.Pipe;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.readiness.EventBits;
import dev.blitz.io.internal.driver.readiness.EventSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the poller asks of kqueue and makes of its answers, in the layout of every system. */
@Strict
class KqueuePollerTest {
  private static final int BOTH = EventBits.READABLE | EventBits.WRITABLE;

  @BeforeEach
  void needsEpoll() {
    String obstacle = NativeAccess.obstacleOnLinux();
    assumeTrue(obstacle == null, obstacle);
  }

  /** Refuses what a test wants refused, and notes what was deleted. */
  private static final class Refusing implements KqueueCalls {
    private final KqueueOnEpoll real;
    private final int filter;
    private final int errno;
    private final List<Long> deleted = new ArrayList<>();

    Refusing(KqueueAbi abi, int filter, int errno) {
      this.real = new KqueueOnEpoll(abi);
      this.filter = filter;
      this.errno = errno;
    }

    @Override
    public KqueueAbi abi() {
      return real.abi();
    }

    @Override
    public Descriptor open() throws IOException {
      return real.open();
    }

    @Override
    public int kevent(
        MemorySegment state,
        int queue,
        MemorySegment changes,
        int changeCount,
        MemorySegment events,
        int room,
        MemorySegment timeout) {
      for (int i = 0; i < changeCount; i++) {
        if ((abi().flags(changes, i) & KqueueAbi.EV_DELETE) != 0) {
          deleted.add(abi().ident(changes, i));
        }
      }
      int n = real.kevent(state, queue, changes, changeCount, events, room, timeout);
      for (int i = 0; i < n && changeCount > 0; i++) {
        if (abi().filter(events, i) == filter) {
          abi().setData(events, i, errno);
        }
      }
      return n;
    }

    @Override
    public void change(int queue, MemorySegment change) {
      real.change(queue, change);
    }
  }

  /** An open poller, and a pipe. */
  private static final class World implements AutoCloseable {
    final KqueuePoller poller;
    final EventSource.Events events;
    final Pipe pipe = Pipe.open();

    World(KqueueCalls calls) throws IOException {
      poller = KqueuePoller.open(calls);
      events = poller.newEvents();
    }

    void write() {
      CallFrame frame = CallFrame.take();
      try {
        assertThat(PosixCalls.write(frame, pipe.writer(), frame.value(), 1)).isEqualTo(1);
      } finally {
        frame.giveBack();
      }
    }

    List<String> found() {
      var found = new ArrayList<String>();
      for (int i = 0; i < events.count(); i++) {
        found.add(events.key(i) + ":" + Integer.toHexString(events.bits(i)));
      }
      return found;
    }

    @Override
    public void close() {
      PosixCalls.close(pipe.reader());
      PosixCalls.close(pipe.writer());
      poller.close();
    }
  }

  @ParameterizedTest
  @EnumSource(KqueueAbi.class)
  void whatIsThere_andWhatComes_isFoundOnce_withItsKey(KqueueAbi abi) throws Exception {
    try (var world = new World(new KqueueOnEpoll(abi))) {
      world.poller.arm(world.pipe.reader(), EventBits.READABLE, 0x700000005L);
      world.poller.arm(world.pipe.writer(), BOTH, 6);
      world.poller.await(world.events, -1);
      assertThat(world.found()).as("there is room").containsExactly("6:4");

      world.write();
      world.poller.await(world.events, -1);
      assertThat(world.found()).anyMatch(e -> e.equals(0x700000005L + ":3"));
      world.poller.look(world.events);
      assertThat(world.found()).as("an edge is told once").isEmpty();
      world.write();
      world.poller.look(world.events);
      assertThat(world.found()).contains(0x700000005L + ":3");
    }
  }

  @ParameterizedTest
  @EnumSource(KqueueAbi.class)
  void aWake_endsOneWait_alsoIfSomebodyLooksInBefore(KqueueAbi abi) throws Exception {
    try (var world = new World(new KqueueOnEpoll(abi))) {
      world.poller.wake();
      world.poller.wake();
      world.poller.look(world.events); // leaves it
      world.poller.await(world.events, -1);
      assertThat(world.events.count()).isZero();
      world.poller.look(world.events); // nothing is left to be brought about again
      long begin = System.nanoTime();
      world.poller.await(world.events, 1_500_000);
      assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(1_500_000);
    }
  }

  @Test
  void aWake_endsAWaitThatHasBegun() throws Exception {
    try (var world = new World(new KqueueOnEpoll(KqueueAbi.MACOS))) {
      var waiter = Thread.ofPlatform().start(() -> world.poller.await(world.events, -1));
      Await.until(() -> waiter.getState() == Thread.State.RUNNABLE, "it to begin");
      world.poller.wake();
      waiter.join();
    }
  }

  @Test
  void theEndOfAPipe_isTold_toBothSides() throws Exception {
    try (var world = new World(new KqueueOnEpoll(KqueueAbi.FREEBSD))) {
      var other = Pipe.open();
      world.poller.arm(other.reader(), EventBits.READABLE, 1);
      PosixCalls.close(other.writer());
      world.poller.await(world.events, -1);
      assertThat(world.events.bits(0) & EventBits.PEER_ENDED).isNotZero();
      PosixCalls.close(other.reader());

      var third = Pipe.open();
      world.poller.arm(third.writer(), EventBits.WRITABLE, 2);
      world.poller.await(world.events, -1);
      PosixCalls.close(third.reader());
      world.poller.await(world.events, -1);
      assertThat(world.found()).singleElement().asString().startsWith("2:");
      assertThat(world.events.bits(0) & EventBits.HUNG_UP).isNotZero();
      PosixCalls.close(third.writer());
    }
  }

  /** FreeBSD refuses a filter on a pipe whose other end has gone: nobody would tell the waiter. */
  @ParameterizedTest
  @EnumSource(KqueueAbi.class)
  void aFilterThatIsRefusedAsBroken_isToldAsAnEvent_alsoToOneWhoWaits(KqueueAbi abi)
      throws Exception {
    try (var world = new World(new Refusing(abi, KqueueAbi.EVFILT_WRITE, Errno.EPIPE))) {
      var waiter = Thread.ofPlatform().start(() -> world.poller.await(world.events, -1));
      Await.until(() -> waiter.getState() == Thread.State.RUNNABLE, "it to begin");
      world.poller.arm(world.pipe.reader(), BOTH, 9);
      waiter.join();
      assertThat(world.found()).contains("9:14"); // writable, hung up
    }
  }

  @Test
  void aFilterThatIsRefused_isAFailure() throws Exception {
    try (var world =
        new World(new Refusing(KqueueAbi.MACOS, KqueueAbi.EVFILT_READ, Errno.EINVAL))) {
      assertThatThrownBy(() -> world.poller.arm(world.pipe.reader(), BOTH, 9))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot be waited for");
    }
    try (var world =
        new World(new Refusing(KqueueAbi.MACOS, KqueueAbi.EVFILT_READ, Errno.ENOMEM))) {
      assertThatThrownBy(() -> world.poller.arm(world.pipe.reader(), BOTH, 9))
          .isInstanceOf(NoDescriptorException.class);
    }
  }

  @Test
  void aRegularFile_cannotBeWaitedFor(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "x");
    CallFrame frame = CallFrame.take();
    try (var world = new World(new KqueueOnEpoll(KqueueAbi.FREEBSD))) {
      frame.staging().setString(0, file.toString());
      int fd = PosixCalls.open(frame, frame.staging(), 0, 0);
      try {
        assertThatThrownBy(() -> world.poller.arm(fd, EventBits.READABLE, 1))
            .hasMessageContaining("cannot be waited for");
      } finally {
        PosixCalls.close(fd);
      }
    } finally {
      frame.giveBack();
    }
  }

  /** A library beside the kernel does not see that a number is closed; a kernel needs no call. */
  @ParameterizedTest
  @EnumSource(KqueueAbi.class)
  void closing_isToldOnlyWhereTheSystemDoesNotKnow(KqueueAbi abi) throws Exception {
    var calls = new Refusing(abi, 0, 0);
    try (var world = new World(calls)) {
      int reader = world.pipe.reader();
      world.poller.arm(reader, BOTH, 3);
      world.poller.disarm(reader, 3);
      var expected =
          abi == KqueueAbi.LIBKQUEUE ? List.of((long) reader, (long) reader) : List.<Long>of();
      assertThat(calls.deleted).isEqualTo(expected);
      world.poller.disarm(reader, 3); // what is not armed may be disarmed
    }
  }

  /** Nobody gets hold of numbers that may be somebody else's by now. */
  @Test
  void aClosedPoller_doesNothing() throws Exception {
    var poller = KqueuePoller.open(new KqueueOnEpoll(KqueueAbi.LIBKQUEUE));
    var events = poller.newEvents();
    poller.close();
    poller.wake();
    poller.await(events, -1);
    poller.disarm(0, 1);
    assertThat(events.count()).isZero();
    assertThatThrownBy(() -> poller.arm(0, 1, 1)).isInstanceOf(ClosedChannelException.class);
  }

  /** Closes a poller while somebody who only looks has the wake that was meant for the watcher. */
  private static final class Closing implements KqueueCalls {
    private final KqueueOnEpoll real = new KqueueOnEpoll(KqueueAbi.FREEBSD);
    private boolean closes;
    private int changes;

    @SuppressWarnings("NullAway.Init") // the test sets it
    private KqueuePoller poller;

    @Override
    public KqueueAbi abi() {
      return real.abi();
    }

    @Override
    public Descriptor open() throws IOException {
      return real.open();
    }

    @Override
    public int kevent(
        MemorySegment state,
        int queue,
        MemorySegment list,
        int changeCount,
        MemorySegment events,
        int room,
        MemorySegment timeout) {
      int n = real.kevent(state, queue, list, changeCount, events, room, timeout);
      if (closes && n > 0) {
        closes = false;
        changes = 0;
        poller.close();
      }
      return n;
    }

    @Override
    public void change(int queue, MemorySegment change) {
      changes++;
      real.change(queue, change);
    }
  }

  /** Else a thread that is stuck in a wait would stay there, and keep the number. */
  @Test
  void aWake_isHandedOn_alsoIfThePollerIsClosedMeanwhile() throws Exception {
    var calls = new Closing();
    calls.poller = KqueuePoller.open(calls);
    var events = calls.poller.newEvents();
    calls.poller.wake();
    calls.closes = true;
    calls.poller.look(events);
    assertThat(calls.changes).as("the close's own, and the one that was handed on").isEqualTo(2);
  }

  @Test
  void probe_saysWhatItIs_orWhatIsMissing() {
    assertThat(KqueueOnEpoll.backend("test").probe().detail()).contains("FREEBSD");
    var probe = new KqueueBackend().probe();
    assertThat(probe.name()).isEqualTo("kqueue");
    assertThat(probe.detail()).containsAnyOf("libkqueue", "LIBKQUEUE");
  }
}
