package dev.blitz.io.internal.driver.readiness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.Backend;
import dev.blitz.io.internal.driver.DriverHost;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Pipe;
import dev.blitz.io.internal.driver.socket.SocketPair;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class PollingDriverTest {

  private static final class OneEvent implements EventSource.Events {
    int count;

    @Override
    public int count() {
      return count;
    }

    @Override
    public long key(int index) {
      return -1; // nobody's
    }

    @Override
    public int bits(int index) {
      return EventBits.READABLE;
    }

    @Override
    public void clear() {
      count = 0;
    }
  }

  /** Finds something, and then fails; after that it finds nothing. */
  private static final class Failing implements Poller {
    boolean fails = true;

    @Override
    public EventSource.Events newEvents() {
      return new OneEvent();
    }

    @Override
    public void await(EventSource.Events into, long nanos) {
      into.clear();
      if (fails) {
        fails = false;
        ((OneEvent) into).count = 1;
        throw new InternalError("as a test wants it");
      }
    }

    @Override
    public void look(EventSource.Events into) {
      into.clear();
    }

    @Override
    public void arm(int fd, int interest, long key) {}

    @Override
    public boolean staysArmed() {
      return true;
    }

    @Override
    public void wake() {}

    @Override
    public void close() {}
  }

  private static final class NoScheduler implements DriverHost {
    @Override
    public int currentWorker() {
      return 0;
    }

    @Override
    public void callWorker() {}
  }

  @Test
  void whatAWaitHasFound_isDelivered_thoughTheWaitHasFailed() throws Exception {
    try (var driver =
        new ReadinessDriver(
            new Seats(1, TimeSource.system()),
            Backend.available("failing", "for a test"),
            Failing::new)) {
      driver.start(new NoScheduler());
      driver.attach(0);
      driver.open();
      assertThatThrownBy(() -> driver.park(0, 0)).isInstanceOf(InternalError.class);
      assertThat(driver.park(0, 0)).as("it waits for nothing else").isTrue();
      assertThat(driver.deliver(0)).isEqualTo(1);
      assertThat(driver.park(0, 0)).isFalse();
    }
  }

  /** Its calls keep a port, as the kernel keeps that of a socket that is closed beside them. */
  private static final class Keeping implements Poller {
    final int port;
    final CountDownLatch inside = new CountDownLatch(1);
    final CountDownLatch ends = new CountDownLatch(1);

    Keeping(int port) {
      this.port = port;
    }

    @Override
    public EventSource.Events newEvents() {
      return new OneEvent();
    }

    @Override
    public void await(EventSource.Events into, long nanos) {
      look(into);
    }

    @Override
    public void look(EventSource.Events into) {
      try (var keeper = new DatagramSocket(port, InetAddress.getLoopbackAddress())) {
        assertThat(keeper.isBound()).isTrue();
        inside.countDown();
        ends.await();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void arm(int fd, int interest, long key) {}

    @Override
    public boolean staysArmed() {
      return true;
    }

    @Override
    public void wake() {
      ends.countDown();
    }

    @Override
    public void close() {}
  }

  @Test
  void aPortThatAWaitKeeps_isBoundOnceTheWaitHasEnded() throws Exception {
    bindsBeside(driver -> driver.park(0, Long.MAX_VALUE));
  }

  @Test
  void aPortThatALookKeeps_isBoundOnceTheLookHasEnded() throws Exception {
    bindsBeside(driver -> driver.deliver(0));
  }

  private static void bindsBeside(Consumer<ReadinessDriver> call) throws Exception {
    String obstacle = NativeAccess.obstacle();
    assumeTrue(obstacle == null, obstacle);
    int port;
    try (var free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    var poller = new Keeping(port);
    try (var driver =
        new ReadinessDriver(
            new Seats(1, TimeSource.system()),
            Backend.available("keeping", "for a test"),
            () -> poller)) {
      driver.start(new NoScheduler());
      driver.open();
      var worker =
          Thread.ofPlatform()
              .start(() -> {
                driver.attach(0);
                call.accept(driver);
              });
      poller.inside.await();
      var socket = driver.openDatagram(AddressFamily.IPV4);
      try {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        assertThat(socket.localAddress())
            .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      } finally {
        socket.close();
        poller.wake();
        worker.join();
      }
    }
  }

  /** Something happens beside each arm, just before it. */
  private static final class Beside implements Poller {
    final Set<Integer> armed = new HashSet<>();
    final Set<Integer> shared = new HashSet<>();
    Runnable event = () -> {};

    @Override
    public EventSource.Events newEvents() {
      return new OneEvent();
    }

    @Override
    public void await(EventSource.Events into, long nanos) {}

    @Override
    public void look(EventSource.Events into) {}

    @Override
    public void arm(int fd, int interest, long key) {
      event.run();
      armed.add(fd);
      shared.add(fd);
    }

    @Override
    public void disarmShared(int fd) {
      shared.remove(fd);
    }

    @Override
    public void disarm(int fd, long key) {
      armed.remove(fd);
    }

    @Override
    public boolean staysArmed() {
      return false;
    }

    @Override
    public void wake() {}

    @Override
    public void close() {}
  }

  private static ReadinessDriver driver(Poller poller, DriverHost host) {
    String obstacle = NativeAccess.obstacleOnLinux();
    assumeTrue(obstacle == null, obstacle);
    var driver =
        new ReadinessDriver(
            new Seats(1, TimeSource.system()),
            Backend.available("beside", "for a test"),
            () -> poller);
    driver.start(host);
    return driver;
  }

  @Test
  void whatIsClosedBesideAnArm_isNotLeftArmed() throws Exception {
    var poller = new Beside();
    try (var driver = driver(poller, new NoScheduler())) {
      var socket = driver.openDatagram(AddressFamily.IPV4);
      poller.event = socket::close;
      var buffer = ByteBuffer.allocate(1);
      assertThatThrownBy(() -> socket.pollReceive(buffer, false, null, () -> {}))
          .isInstanceOf(ClosedChannelException.class);
      assertThat(poller.armed).as("the number may be somebody else's by now").isEmpty();
    }
  }

  @Test
  void whatEndsAndIsClosedBesideAnArm_isNotLeftArmed() throws Exception {
    var poller = new Beside();
    try (var driver = driver(poller, new NoScheduler())) {
      var pair = driver.openStreamPair();
      var stream = pair.getFirst();
      poller.event =
          () -> {
            try {
              stream.shutdownInput();
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
            stream.close();
          };
      var buffer = ByteBuffer.allocate(1);
      assertThatThrownBy(() -> stream.pollRead(buffer, () -> {}))
          .isInstanceOf(ClosedChannelException.class);
      assertThat(poller.armed).isEmpty();
      pair.getLast().close();
    }
  }

  @Test
  void aForeignDescriptorThatIsClosedBesideAnArm_isNotLeftArmed() throws Exception {
    var poller = new Beside();
    try (var driver = driver(poller, new NoScheduler())) {
      var pipe = Pipe.open();
      var reader = driver.adopt(pipe.reader());
      poller.event = reader::close;
      var buffer = ByteBuffer.allocate(1);
      assertThatThrownBy(() -> reader.pollRead(buffer, () -> {}))
          .isInstanceOf(ClosedChannelException.class);
      assertThat(poller.shared).isEmpty();
      driver.adopt(pipe.writer()).close();
    }
  }

  private static MemorySegment[] room(Arena arena, int native0, int heap, int native1) {
    return new MemorySegment[] {
      arena.allocate(native0), MemorySegment.ofArray(new byte[heap]), arena.allocate(native1)
    };
  }

  private static long readsOnce(
      ReadinessDriver driver, MemorySegment[] targets, int arrive, int later) throws Exception {
    return readsOnce(driver, AddressFamily.IPV4, targets, arrive, later);
  }

  /** Nobody tells of an event here: whoever believes that nothing is left waits. */
  private static long readsOnce(
      ReadinessDriver driver, AddressFamily family, MemorySegment[] targets, int arrive, int later)
      throws Exception {
    List<StreamEndpoint> pair = SocketPair.open(false, end -> driver.stream(end, family));
    var reader = pair.getFirst();
    var writer = pair.getLast();
    assertThat(writer.pollWrite(ByteBuffer.allocateDirect(arrive), null)).isEqualTo(arrive);
    long all = reader.pollReadVectored(targets, () -> {});
    assertThat(all).isPositive();
    assertThat(writer.pollWrite(ByteBuffer.allocateDirect(later), null)).isEqualTo(later);
    long next = reader.pollReadVectored(targets, () -> {});
    pair.forEach(StreamEndpoint::close);
    return next;
  }

  @Test
  void aVectoredReadThatBringsLessThanItCould_isTheLast_untilAnEvent() throws Exception {
    int staged = CallFrame.STAGING_BYTES;
    try (var driver = driver(new Beside(), new NoScheduler());
        var arena = Arena.ofConfined()) {
      assertThat(readsOnce(driver, room(arena, 2, 2, 2), 5, 1)).isEqualTo(StreamEndpoint.PENDING);
      assertThat(readsOnce(driver, room(arena, 2, 2, 2), 6, 1)).as("as much as it could").isOne();
      assertThat(readsOnce(driver, room(arena, 2, staged + 1, 2), staged + 2, 1))
          .as("as much as is copied at a time")
          .isOne();
      assertThat(readsOnce(driver, room(arena, 2, staged, 2), staged + 3, 1))
          .isEqualTo(StreamEndpoint.PENDING);
      // There a call also ends behind descriptors that a peer passes.
      assertThat(readsOnce(driver, AddressFamily.UNIX, room(arena, 2, 2, 2), 5, 1)).isOne();
      var many = new MemorySegment[CallFrame.MAX_VECTORS + 1];
      Arrays.setAll(many, i -> arena.allocate(1));
      assertThat(readsOnce(driver, many, CallFrame.MAX_VECTORS, 1)).as("in one call").isOne();
    }
  }

  /** Tells when somebody asks for the time, as one does who waits for an address. */
  private static final class Watched implements DriverHost {
    final CountDownLatch asked = new CountDownLatch(4);

    @Override
    public int currentWorker() {
      return 0;
    }

    @Override
    public long nanoTime() {
      asked.countDown();
      return 0;
    }

    @Override
    public void callWorker() {}
  }

  @Test
  void theAddressOfASocketThatIsClosedBesideACall_isBoundOnceTheCallHasEnded() throws Exception {
    var poller = new Beside();
    var host = new Watched();
    try (var driver = driver(poller, host)) {
      var local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      var socket = driver.openDatagram(AddressFamily.IPV4);
      socket.bind(local);
      var address = socket.localAddress();
      var next = driver.openDatagram(AddressFamily.IPV4);
      var binder =
          new FutureTask<>(() -> {
            next.bind(address);
            return next.localAddress();
          });
      poller.event =
          () -> { // the socket is in use
            socket.close();
            Thread.ofPlatform().start(binder);
            try {
              host.asked.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          };
      var buffer = ByteBuffer.allocate(1);
      assertThatThrownBy(() -> socket.pollReceive(buffer, false, null, () -> {}))
          .isInstanceOf(ClosedChannelException.class);
      assertThat(binder.get()).isEqualTo(address);
      next.close();
    }
  }
}
