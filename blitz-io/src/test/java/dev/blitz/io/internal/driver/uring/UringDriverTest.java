package dev.blitz.io.internal.driver.uring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is special to this backend; the conformance suite holds the rest. */
@Strict
@OnceIsEnough
class UringDriverTest {

  @BeforeEach
  void needsIoUring() {
    var probe = new UringBackend().probe();
    assumeTrue(probe.available(), probe.detail());
  }

  private static final class Net implements AutoCloseable {
    final UringDriver driver;
    final DrivenWorkers workers;
    final ListenerEndpoint listener;
    final AtomicInteger kicks = new AtomicInteger();
    private final List<StreamEndpoint> streams = new ArrayList<>();

    Net(int workerCount, int driven) throws Exception {
      this(workerCount, driven, UringTuning.buffersPerRing(workerCount));
    }

    Net(int workerCount, int driven, int buffers) throws Exception {
      this(workerCount, driven, buffers, UringTuning.CLOSED_SEND_MILLIS);
    }

    Net(int workerCount, int driven, int buffers, int closedSendMillis) throws Exception {
      var seats = new Seats(workerCount, TimeSource.system());
      driver =
          new UringDriver(
              seats,
              new UringBackend().probe(),
              buffers,
              closedSendMillis,
              () -> {
                kicks.incrementAndGet();
                UringCalls.kick();
              });
      workers = new DrivenWorkers(driver, workerCount);
      for (int i = 0; i < driven; i++) {
        workers.drive(i);
      }
      listener = driver.openListener(AddressFamily.IPV4);
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      listener.listen(128);
    }

    StreamEndpoint[] pair() throws Exception {
      StreamEndpoint client = driver.openStream(AddressFamily.IPV4);
      Polling.connect(client, (InetSocketAddress) listener.localAddress());
      StreamEndpoint server = Polling.accept(listener);
      streams.add(client);
      streams.add(server);
      return new StreamEndpoint[] {client, server};
    }

    @Override
    public void close() {
      workers.close();
    }
  }

  @Test
  void bytes_goBothWays_fromThreadsOutside() throws Exception {
    try (var net = new Net(2, 2)) {
      var pair = net.pair();
      for (int i = 0; i < 100; i++) {
        Polling.write(pair[0], "ping" + i);
        assertThat(Polling.read(pair[1], 100)).isEqualTo("ping" + i);
        Polling.write(pair[1], "pong" + i);
        assertThat(Polling.read(pair[0], 100)).isEqualTo("pong" + i);
      }
      pair[0].shutdownOutput();
      assertThat(Polling.read(pair[1], 100)).isEmpty();
    }
  }

  @Test
  void withoutAnyThread_aWorkerIsCalled() throws Exception {
    try (var net = new Net(2, 0)) {
      // Only worker 1 gets a thread; what was submitted for worker 0 is found all the same.
      var late = new Thread[1];
      StreamEndpoint client = net.driver.openStream(AddressFamily.IPV4);
      Waker waker = () -> {};
      client.pollConnect(net.listener.localAddress(), waker);
      assertThat(net.listener.pollAccept(waker)).isNull();
      assertThat(net.workers.calls).hasValueGreaterThan(0);
      late[0] = net.workers.drive(1);
      StreamEndpoint server = Polling.accept(net.listener);
      Polling.write(server, "hello");
      assertThat(Polling.read(client, 10)).isEqualTo("hello");
      assertThat(late[0].isAlive()).isTrue();
    }
  }

  /** Whoever helps finds the wake of a worker that is about to sleep: it must still wake it. */
  @Test
  void aHelper_takesNoWake_fromAWorkerThatIsAboutToSleep() throws Exception {
    try (var net = new Net(2, 2)) {
      var over = new AtomicBoolean();
      Thread helped =
          Thread.ofPlatform()
              .start(() -> {
                while (!over.get()) {
                  net.driver.needsHelp(0);
                  net.driver.unpark(1);
                }
              });
      try {
        for (int round = 0; round < 20_000; round++) {
          var ran = new CountDownLatch(1);
          net.workers.run(0, ran::countDown);
          assertThat(ran.await(Timeouts.MEDIUM.toNanos(), TimeUnit.NANOSECONDS))
              .as("round %d", round)
              .isTrue();
        }
      } finally {
        over.set(true);
        helped.join();
      }
    }
  }

  /** Streams that nobody reads have all buffers: the others go on, and these when they are read. */
  @Test
  void withoutBuffers_everyStreamGoesOn() throws Exception {
    byte[] unread = new byte[50_000];
    for (int i = 0; i < unread.length; i++) {
      unread[i] = (byte) ('a' + i % 26);
    }
    try (var net = new Net(1, 1, 4)) {
      List<StreamEndpoint[]> slow = new ArrayList<>();
      for (int i = 0; i < 6; i++) { // each takes a buffer at least: for the last there are none
        var pair = net.pair();
        slow.add(pair);
        Polling.write(pair[0], unread);
        assertThat(Polling.read(pair[1], 1)).isEqualTo("a");
      }
      assertThat(net.driver.ringForCaller().buffers().taken()).isEqualTo(4);
      var fast = net.pair();
      for (int i = 0; i < 200; i++) {
        Polling.write(fast[0], "ping" + i);
        assertThat(Polling.read(fast[1], 100)).isEqualTo("ping" + i);
      }
      for (var pair : slow) {
        var read = new StringBuilder("a");
        while (read.length() < unread.length) {
          read.append(Polling.read(pair[1], 7_001));
        }
        assertThat(read.toString()).isEqualTo(new String(unread, US_ASCII));
        Polling.write(pair[0], "more");
        assertThat(Polling.read(pair[1], 10)).isEqualTo("more");
        pair[0].close();
        assertThat(Polling.read(pair[1], 10)).isEmpty();
      }
    }
  }

  /** A burst that finds too few buffers ends many receives. The kernel gets what it needs. */
  @Test
  void bursts_ofAFewMoreThanThereAreBuffers_areFollowedByTwiceAsMany_andNoMore() throws Exception {
    int count = UringTuning.FIRST_BUFFERS * 3 / 2;
    try (var net = new Net(1, 1)) {
      List<StreamEndpoint[]> pairs = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        pairs.add(net.pair());
        assertThat(pairs.get(i)[1].pollRead(ByteBuffer.allocate(8), () -> {}))
            .isEqualTo(StreamEndpoint.PENDING);
      }
      for (int burst = 0; burst < 5; burst++) {
        var busy = new CountDownLatch(1);
        net.workers.run(0, () -> computing(busy)); // meanwhile nobody serves
        for (var pair : pairs) {
          Polling.write(pair[0], "ping" + burst);
        }
        busy.countDown();
        for (var pair : pairs) {
          assertThat(Polling.read(pair[1], 8)).isEqualTo("ping" + burst);
        }
        for (var pair : pairs) { // armed for the next burst
          assertThat(pair[1].pollRead(ByteBuffer.allocate(8), () -> {}))
              .isEqualTo(StreamEndpoint.PENDING);
        }
        assertThat(net.driver.ringForCaller().buffers().provided())
            .as("burst %d", burst)
            .isLessThanOrEqualTo(2 * UringTuning.FIRST_BUFFERS);
      }
    }
  }

  private static int users(StreamEndpoint stream) {
    return ((UringStream) stream).users(); // what is armed uses the descriptor
  }

  /** One that has sent more than its share waits in the kernel: the buffers are for others too. */
  @Test
  void aReceiveThatNobodyReads_endsBeforeItHasAllBuffers() throws Exception {
    try (var net = new Net(1, 1)) {
      var pair = net.pair();
      assertThat(pair[1].pollRead(ByteBuffer.allocate(1), () -> {}))
          .isEqualTo(StreamEndpoint.PENDING);
      int armed = users(pair[1]);
      BufferRing buffers = net.driver.ringForCaller().buffers();
      byte[] piece = new byte[UringTuning.BUFFER_BYTES];
      int sent = 0;
      while (users(pair[1]) == armed) {
        int taken = buffers.taken();
        Polling.write(pair[0], piece);
        sent += piece.length;
        Await.until(
            () -> buffers.taken() > taken || users(pair[1]) < armed, "a piece, or the end of it");
      }
      // Some may come before the worker enters the kernel with the cancel, and while it does.
      int share = UringTuning.MOST_UNREAD_BYTES / piece.length;
      assertThat(buffers.taken()).isLessThan(2 * share);
      int read = 0;
      while (read < sent) {
        read += Polling.read(pair[1], sent).length();
      }
      assertThat(read).isEqualTo(sent);
    }
  }

  /** A burst of one stream may be longer than its share: no memory is touched for the rest. */
  @Test
  void noBuffersAreAdded_forAStreamThatIsAhead() throws Exception {
    int most = 64;
    int first = UringTuning.firstBuffers(most);
    int burst = (first + 1) * UringTuning.BUFFER_BYTES;
    assertThat(burst).isGreaterThan(UringTuning.MOST_UNREAD_BYTES);
    try (var net = new Net(1, 1, most);
        var client = new Socket()) {
      net.listener.setOption(StandardSocketOptions.SO_RCVBUF, 4 * burst);
      client.setSendBufferSize(4 * burst);
      client.connect(net.listener.localAddress());
      StreamEndpoint server = Polling.accept(net.listener);
      assertThat(server.pollRead(ByteBuffer.allocate(1), () -> {}))
          .isEqualTo(StreamEndpoint.PENDING);
      int armed = users(server);
      var busy = new CountDownLatch(1);
      var inside = new CountDownLatch(1);
      net.workers.run(
          0,
          () -> {
            inside.countDown();
            computing(busy); // meanwhile all of it comes
          });
      inside.await();
      try {
        client.getOutputStream().write(new byte[burst]);
      } finally {
        busy.countDown();
      }
      Await.until(() -> users(server) < armed, "the end of the receive");
      assertThat(net.driver.ringForCaller().buffers().provided()).isEqualTo(first);
      int read = 0;
      while (read < burst) {
        read += Polling.read(server, burst).length();
      }
      server.close();
    }
  }

  /** The rings of a runtime share what they may keep unread, each with enough to work. */
  @Test
  void buffers_areABudgetOfTheRuntime() {
    assertThat(UringTuning.buffersPerRing(1)).isEqualTo(4096);
    assertThat(UringTuning.buffersPerRing(2)).isEqualTo(4096);
    assertThat(UringTuning.buffersPerRing(3)).isEqualTo(2048);
    assertThat(UringTuning.buffersPerRing(16)).isEqualTo(512);
    assertThat(UringTuning.buffersPerRing(500)).isEqualTo(256);
  }

  @Test
  void aStuckWorkersRing_isServedByAnother() throws Exception {
    try (var net = new Net(2, 2)) {
      var pair = net.pair();
      var armed = new CountDownLatch(1);
      var release = new CountDownLatch(1);
      var woken = new AtomicInteger();
      byte[] bytes = new byte[8];
      net.workers.run(
          0,
          () -> {
            try {
              int r = pair[1].pollRead(ByteBuffer.wrap(bytes), woken::incrementAndGet);
              assertThat(r).isEqualTo(StreamEndpoint.PENDING);
              armed.countDown();
              while (release.getCount() > 0) { // makes no system call: only a kick gets it there
                Thread.onSpinWait();
              }
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          });
      try {
        armed.await();
        Polling.write(pair[0], "x");
        for (int round = 0; round < 3; round++) {
          Await.until(
              () -> {
                if (net.driver.relieve(0)) {
                  net.workers.callWorker();
                }
                return woken.get() > 0;
              },
              "another worker to serve ring 0");
          assertThat(pair[1].pollRead(ByteBuffer.wrap(bytes), woken::incrementAndGet)).isEqualTo(1);
          woken.set(0);
          pair[1].pollRead(ByteBuffer.wrap(bytes), woken::incrementAndGet);
          Polling.write(pair[0], "y");
        }
        // The helper watches by now: no overseer is needed.
        Await.until(() -> woken.get() > 0, "the helper to see the completion by itself");
      } finally {
        release.countDown();
      }
    }
  }

  @Test
  void whatAnEndedThreadHadSubmitted_isArmedAgain() throws Exception {
    try (var net = new Net(1, 0)) {
      Thread first = net.workers.drive(0);
      var pair = net.pair();
      var woken = new AtomicInteger();
      byte[] bytes = new byte[8];
      var armed = new CountDownLatch(1);
      int parks = net.workers.parks(0);
      net.workers.run(
          0,
          () -> {
            try {
              pair[1].pollRead(ByteBuffer.wrap(bytes), woken::incrementAndGet);
              armed.countDown();
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          });
      armed.await();
      Await.until(() -> net.workers.parks(0) > parks, "the receive to be submitted");
      net.workers.leave(0);
      first.join();
      net.workers.drive(0);
      Polling.write(pair[0], "still");
      assertThat(Polling.read(pair[1], 10)).isEqualTo("still");
    }
  }

  @Test
  void aWorkerThatWasHandedOver_isWokenAndServed_whileTheFormerThreadIsBlocked() throws Exception {
    try (var net = new Net(1, 0)) {
      net.workers.drive(0);
      var pair = net.pair();
      var blocked = new CountDownLatch(1);
      var release = new CountDownLatch(1);
      net.workers.run(
          0,
          () -> {
            try {
              pair[1].pollRead(ByteBuffer.wrap(new byte[8]), () -> {});
              net.driver.deliver(0); // submitted by the thread that is about to block
              blocked.countDown();
              release.await();
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          });
      blocked.await();
      net.workers.drive(0);
      for (int i = 0; i < 20; i++) {
        Polling.write(pair[0], "a" + i);
        assertThat(Polling.read(pair[1], 10)).isEqualTo("a" + i);
        var ran = new CountDownLatch(1);
        net.workers.run(0, ran::countDown);
        ran.await();
      }
      release.countDown();
    }
  }

  /** In the kernel it is that thread's, which would be woken, or waited for, at each arrival. */
  @Test
  void whatAFormerThreadHasArmed_movesToTheNewOne_whenItNextCompletes() throws Exception {
    int rounds = 50;
    try (var net = new Net(1, 0)) {
      net.workers.drive(0);
      var pair = net.pair();
      var former = new CompletableFuture<Path>();
      var release = new CountDownLatch(1);
      net.workers.run(
          0,
          () -> {
            try {
              assertThat(pollRead(pair[1], () -> {})).isEqualTo(StreamEndpoint.PENDING);
              assertThat(net.listener.pollAccept(() -> {})).isNull();
              net.driver.deliver(0); // submitted by the thread that is about to block
              former.complete(Path.of("/proc/thread-self").toRealPath());
              release.await();
            } catch (Throwable t) {
              former.completeExceptionally(t);
            }
          });
      Path thread = former.get();
      try {
        net.workers.drive(0);
        echoAndConnect(net, pair, 3); // it moves
        long before = waits(thread);
        echoAndConnect(net, pair, rounds);
        assertThat(waits(thread) - before).as("wakes of the former thread").isLessThan(rounds / 2);
      } finally {
        release.countDown();
      }
    }
  }

  private static void echoAndConnect(Net net, StreamEndpoint[] pair, int rounds) throws Exception {
    var local = (InetSocketAddress) net.listener.localAddress();
    for (int i = 0; i < rounds; i++) {
      Polling.write(pair[0], "a" + i);
      assertThat(Polling.read(pair[1], 10)).isEqualTo("a" + i);
      try (var peer = new Socket(local.getAddress(), local.getPort())) {
        assertThat(peer.isConnected()).isTrue();
        Polling.accept(net.listener).close();
      }
    }
  }

  /** How often a thread has given up its processor in order to wait. */
  private static long waits(Path thread) throws IOException {
    for (String line : Files.readAllLines(thread.resolve("status"))) {
      if (line.startsWith("voluntary_ctxt_switches:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new AssertionError("not told by " + thread);
  }

  @Test
  void close_whileAReceiveIsArmed_closesTheDescriptorSoon() throws Exception {
    try (var net = new Net(1, 1)) {
      var pair = net.pair();
      var woken = new AtomicInteger();
      assertThat(pair[1].pollRead(ByteBuffer.wrap(new byte[1]), woken::incrementAndGet))
          .isEqualTo(StreamEndpoint.PENDING);
      pair[1].close();
      assertThat(woken).hasValueGreaterThan(0);
      assertThat(Polling.read(pair[0], 1)).as("the peer sees the end").isEmpty();
      assertThatThrownBy(() -> pair[1].pollRead(ByteBuffer.wrap(new byte[1]), () -> {}))
          .isInstanceOf(ClosedChannelException.class);
    }
  }

  @Test
  void aSlowReader_slowsItsPeerDown_andLosesNothing() throws Exception {
    try (var net = new Net(1, 1)) {
      var pair = net.pair();
      Waker nobody = () -> {};
      byte[] one = new byte[1];
      pair[1].pollRead(ByteBuffer.wrap(one), nobody); // armed, then nobody reads
      byte[] chunk = new byte[64 * 1024];
      long sent = 0;
      for (; ; ) {
        for (int i = 0; i < chunk.length; i++) {
          chunk[i] = (byte) ((sent + i) % 251);
        }
        int n = pair[0].pollWrite(ByteBuffer.wrap(chunk), nobody);
        if (n == StreamEndpoint.PENDING) {
          break;
        }
        sent += n;
        assertThat(sent).as("bounded").isLessThan(100_000_000);
      }
      pair[0].shutdownOutput();
      long read = 0;
      for (; ; ) {
        String some = Polling.read(pair[1], 100_000);
        if (some.isEmpty()) {
          break;
        }
        read += some.length();
      }
      assertThat(read).isEqualTo(sent);
    }
  }

  @Test
  void closingTheDriver_closesEverything() throws Exception {
    var net = new Net(2, 2);
    var pair = net.pair();
    pair[1].pollRead(ByteBuffer.wrap(new byte[1]), () -> {});
    net.listener.pollAccept(() -> {});
    net.close();
    assertThat(pair[0].isOpen()).isFalse();
    assertThat(net.listener.isOpen()).isFalse();
    assertThatThrownBy(() -> net.driver.openStream(AddressFamily.IPV4))
        .isInstanceOf(ClosedChannelException.class);
  }

  /** Who is about to wake a worker may be held up until after the end of its runtime. */
  @Test
  void aWakeThatComesAfterTheEnd_writesIntoNoStrangersFile() throws Exception {
    var net = new Net(1, 1);
    net.pair();
    net.close();
    List<Integer> strangers = new ArrayList<>(); // they get the numbers that are free now
    try {
      for (int i = 0; i < 32; i++) {
        strangers.add(WorkerRing.newCounter());
      }
      net.driver.wakeElsewhere(0); // the second half of an unpark
      assertThat(strangers).noneMatch(UringDriverTest::isReadable);
    } finally {
      strangers.forEach(PosixCalls::close);
    }
  }

  private static boolean isReadable(int number) {
    CallFrame frame = CallFrame.take();
    try {
      return PosixCalls.readiness(frame, number, PosixAbi.POLLIN) != 0;
    } finally {
      frame.giveBack();
    }
  }

  @Test
  void anIdleWorker_staysAsleep() throws Exception {
    try (var net = new Net(2, 2)) {
      var pair = net.pair();
      Polling.write(pair[0], "x");
      assertThat(Polling.read(pair[1], 10)).isEqualTo("x");
      Await.until(() -> net.workers.parks(0) > 0 && net.workers.parks(1) > 0, "both to park");
      int before = settled(net.workers);
      assertThat(settled(net.workers)).isEqualTo(before);
    }
  }

  /** The number of parks once it has stayed the same over many looks. */
  private static int settled(DrivenWorkers workers) {
    var same = new AtomicInteger();
    var last = new AtomicInteger(-1);
    Await.until(
        () -> {
          int now = workers.parks(0) + workers.parks(1);
          if (last.getAndSet(now) == now) {
            return same.incrementAndGet() == 20;
          }
          same.set(0);
          return false;
        },
        "the workers to settle");
    return last.get();
  }

  @Test
  void aWriteOfMemoryThatIsGone_keepsNoneOfTheRings() throws Exception {
    try (var net = new Net(1, 1)) {
      StreamEndpoint stream = net.pair()[0];
      MemorySegment gone;
      try (var arena = Arena.ofShared()) {
        gone = arena.allocate(10);
      }
      var inUse = new CompletableFuture<Integer>();
      net.workers.run(
          0,
          () -> {
            try {
              stream.pollWrite(gone.asByteBuffer(), () -> {});
              inUse.complete(-1);
            } catch (IllegalStateException e) {
              WorkerRing ring = net.driver.ringOfCaller();
              inUse.complete(ring == null ? -1 : ring.sendBuffers().inUse());
            } catch (Throwable t) {
              inUse.completeExceptionally(t);
            }
          });
      assertThat(inUse.get()).isZero();
    }
  }

  @Test
  void aSmallWrite_fromTheHeap_takesNoMemory() throws Exception {
    int writes = UringTuning.MOST_JOINED - 1;
    try (var net = new Net(1, 1)) {
      var pair = net.pair();
      var least = new CompletableFuture<Long>();
      net.workers.run(
          0,
          () -> {
            try {
              long fewest = Long.MAX_VALUE;
              for (int round = 0; round < 10; round++) {
                assertThat(write(pair[0])).isOne(); // the others join it
                long bytes =
                    Memory.allocatedBy(() -> {
                      for (int i = 0; i < writes; i++) {
                        write(pair[0]);
                      }
                    });
                fewest = Math.min(fewest, bytes);
                net.driver.deliver(0);
              }
              least.complete(fewest);
            } catch (Throwable t) {
              least.completeExceptionally(t);
            }
          });
      assertThat(least.get()).as("of %d writes", writes).isLessThan(1000);
      assertThat(Polling.read(pair[1], 10 * (writes + 1))).startsWith("xxx");
    }
  }

  private static final ByteBuffer SMALL = ByteBuffer.wrap(new byte[] {'x'});

  private static int write(StreamEndpoint stream) {
    try {
      return stream.pollWrite(SMALL, NOBODY);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Told apart by nobody. */
  @SuppressWarnings("UnnecessaryLambda")
  private static final Waker NOBODY = () -> {};

  @Test
  void aWriteThatSucceeds_isSent_alsoIfTheStreamIsClosedMeanwhile() throws Exception {
    byte[] bytes = {'x'};
    try (var net = new Net(1, 1)) {
      for (int round = 0; round < 500; round++) {
        var pair = net.pair();
        var begun = new CountDownLatch(1);
        var written = new CompletableFuture<Integer>();
        net.workers.run(
            0,
            () -> {
              begun.countDown();
              try {
                written.complete(pair[0].pollWrite(ByteBuffer.wrap(bytes), () -> {}));
              } catch (ClosedChannelException e) {
                written.complete(0);
              } catch (Throwable t) {
                written.completeExceptionally(t);
              }
            });
        begun.await();
        pair[0].close();
        String expected = written.get() == 1 ? "x" : "";
        assertThat(Polling.read(pair[1], 10)).as("round %s", round).isEqualTo(expected);
        pair[1].close();
      }
    }
  }

  /** What a worker does after it has armed something: it does not come back to its ring. */
  private interface Stay {
    void until(CountDownLatch over) throws Exception;
  }

  private static void arm(Net net, Stay stay, CountDownLatch over, Runnable poll) throws Exception {
    var armed = new CompletableFuture<Boolean>();
    net.workers.run(
        0,
        () -> {
          try {
            poll.run();
            armed.complete(true);
            stay.until(over);
          } catch (Throwable t) {
            if (!armed.completeExceptionally(t)) {
              throw new AssertionError(t);
            }
          }
        });
    armed.get();
  }

  private static void computing(CountDownLatch over) {
    while (over.getCount() > 0) { // makes no system call: only a kick gets it there
      Thread.onSpinWait();
    }
  }

  private static void aTry_findsWhatAnotherWorkersRingHas(Stay stay) throws Exception {
    try (var net = new Net(2, 2)) {
      var pair = net.pair();
      var over = new CountDownLatch(1);
      try {
        arm(
            net,
            stay,
            over,
            () -> {
              assertThat(pollRead(pair[1], () -> {})).isEqualTo(StreamEndpoint.PENDING);
              net.driver.deliver(0); // submitted
            });
        for (int round = 0; round < 3; round++) {
          Polling.write(pair[0], "x");
          Await.until(() -> pollRead(pair[1], null) == 1, "a try that finds the byte");
          assertThat(pollRead(pair[1], null)).isEqualTo(StreamEndpoint.PENDING);
        }
        pair[0].close();
        Await.until(
            () -> pollRead(pair[1], null) == StreamEndpoint.EOF, "a try that finds the end");
      } finally {
        over.countDown();
      }
    }
  }

  private static int pollRead(StreamEndpoint stream, @Nullable Waker waker) {
    try {
      return stream.pollRead(ByteBuffer.wrap(new byte[8]), waker);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void tryRead_whileAReceiveIsArmedOnARingWhoseWorkerWaitsElsewhere_findsTheBytes()
      throws Exception {
    aTry_findsWhatAnotherWorkersRingHas(CountDownLatch::await);
  }

  @Test
  void tryRead_whileAReceiveIsArmedOnARingWhoseWorkerComputes_findsTheBytes() throws Exception {
    aTry_findsWhatAnotherWorkersRingHas(UringDriverTest::computing);
  }

  @Test
  void tryAccept_whileAnAcceptIsArmedOnARingWhoseWorkerComputes_findsTheConnection()
      throws Exception {
    try (var net = new Net(2, 2)) {
      var over = new CountDownLatch(1);
      try {
        arm(
            net,
            UringDriverTest::computing,
            over,
            () -> {
              try {
                assertThat(net.listener.pollAccept(() -> {})).isNull();
                net.driver.deliver(0); // submitted
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
        for (int round = 0; round < 3; round++) {
          var local = (InetSocketAddress) net.listener.localAddress();
          try (var peer = new Socket(local.getAddress(), local.getPort())) {
            assertThat(peer.isConnected()).isTrue();
            Await.until(
                () -> {
                  try {
                    StreamEndpoint accepted = net.listener.pollAccept(null);
                    if (accepted != null) {
                      accepted.close();
                    }
                    return accepted != null;
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                },
                "a try that finds the connection");
          }
        }
      } finally {
        over.countDown();
      }
    }
  }

  @Test
  void tryWrite_whileTheLastWriteIsArmedOnARingWhoseWorkerComputes_goesOn() throws Exception {
    try (var net = new Net(2, 2)) {
      var pair = net.pair();
      var over = new CountDownLatch(1);
      try {
        arm(
            net,
            UringDriverTest::computing,
            over,
            () -> {
              try {
                assertThat(pair[0].pollWrite(ByteBuffer.wrap(new byte[] {'a'}), () -> {})).isOne();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
        Await.until(
            () -> {
              try {
                return pair[0].pollWrite(ByteBuffer.wrap(new byte[] {'b'}), null) == 1;
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            },
            "a try that writes");
        over.countDown();
        assertThat(Polling.read(pair[1], 1) + Polling.read(pair[1], 1)).isEqualTo("ab");
      } finally {
        over.countDown();
      }
    }
  }

  /** What is above asks first, but memory may be freed at any moment. */
  @Test
  void aVectoredRead_withATargetThatIsGone_losesNoByte() throws Exception {
    try (var net = new Net(1, 1)) {
      var pair = net.pair();
      MemorySegment gone;
      try (var arena = Arena.ofShared()) {
        gone = arena.allocate(2);
      }
      Polling.write(pair[0], "data");
      Await.until(() -> peek(pair[1]) == 4, "all four bytes, in the driver's memory");
      byte[] good = new byte[2];
      var targets = new MemorySegment[] {MemorySegment.ofArray(good), gone};
      assertThat(pair[1].pollReadVectored(targets, () -> {})).isEqualTo(2);
      assertThat(good).containsExactly('d', 'a');
      assertThatThrownBy(() -> pair[1].pollReadVectored(new MemorySegment[] {gone}, () -> {}))
          .isInstanceOf(IllegalStateException.class);
      assertThat(Polling.read(pair[1], 8)).isEqualTo("ta");
    }
  }

  private static int peek(StreamEndpoint stream) {
    try {
      return stream.pollPeek(ByteBuffer.wrap(new byte[8]), () -> {});
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A kick interrupts every thread of the process that runs: only for what is there. */
  @Test
  void tries_interruptNobody_whileThereIsNothing() throws Exception {
    try (var net = new Net(2, 2)) {
      var pair = net.pair();
      var over = new CountDownLatch(1);
      try {
        arm(
            net,
            UringDriverTest::computing,
            over,
            () -> {
              try {
                assertThat(pollRead(pair[1], () -> {})).isEqualTo(StreamEndpoint.PENDING);
                assertThat(net.listener.pollAccept(() -> {})).isNull();
                net.driver.deliver(0); // submitted
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
        int before = net.kicks.get();
        for (int i = 0; i < 100; i++) {
          assertThat(pollRead(pair[1], null)).isEqualTo(StreamEndpoint.PENDING);
          assertThat(net.listener.pollAccept(null)).isNull();
        }
        assertThat(net.kicks).hasValue(before);
        Polling.write(pair[0], "x");
        Await.until(() -> pollRead(pair[1], null) == 1, "a try that finds the byte");
      } finally {
        over.countDown();
      }
    }
  }

  /** Polls once on worker 0, which submits that and then computes. */
  private static void armOnAWorkerThatComputes(Net net, CountDownLatch over, Arming poll)
      throws Exception {
    arm(
        net,
        UringDriverTest::computing,
        over,
        () -> {
          try {
            poll.once();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          net.driver.deliver(0); // submitted
        });
  }

  private interface Arming {
    void once() throws IOException;
  }

  @Test
  void aListenersPort_isFreeAtOnce_whileTheWorkerItIsArmedOnComputes() throws Exception {
    try (var net = new Net(1, 1)) {
      var over = new CountDownLatch(1);
      try {
        armOnAWorkerThatComputes(
            net, over, () -> assertThat(net.listener.pollAccept(() -> {})).isNull());
        var local = (InetSocketAddress) net.listener.localAddress();
        net.listener.close();
        // Of somebody else: he does not wait for what is closed here.
        try (var next = new ServerSocket(local.getPort(), 1, local.getAddress())) {
          assertThat(next.isBound()).isTrue();
        }
        assertThat(((UringListener) net.listener).users()).isPositive();
      } finally {
        over.countDown();
      }
    }
  }

  @Test
  void thePeerOfAClosedStream_seesTheEndAtOnce_whileTheWorkerItIsArmedOnComputes()
      throws Exception {
    try (var net = new Net(1, 1);
        var client = new Socket()) {
      client.setSoTimeout((int) Timeouts.SHORT.toMillis());
      client.connect(net.listener.localAddress());
      StreamEndpoint server = Polling.accept(net.listener);
      var over = new CountDownLatch(1);
      try {
        armOnAWorkerThatComputes(
            net,
            over,
            () -> assertThat(pollRead(server, () -> {})).isEqualTo(StreamEndpoint.PENDING));
        server.close();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        assertThat(users(server)).isPositive();
      } finally {
        over.countDown();
      }
    }
  }

  @Test
  void aWorkerThatClosesAListener_andGoesOnComputing_hasFreedTheDescriptor() throws Exception {
    try (var net = new Net(1, 1)) {
      var over = new CountDownLatch(1);
      try {
        armOnAWorkerThatComputes(
            net,
            over,
            () -> {
              assertThat(net.listener.pollAccept(() -> {})).isNull();
              net.driver.deliver(0); // submitted
              net.listener.close();
              assertThat(((UringListener) net.listener).users()).isZero();
            });
      } finally {
        over.countDown();
      }
    }
  }

  @Test
  void aWorkerThatCloses_andGoesOnComputing_hasSentWhatWasWritten_andFreedTheDescriptor()
      throws Exception {
    try (var net = new Net(1, 1);
        var client = new Socket()) {
      client.setSoTimeout((int) Timeouts.SHORT.toMillis());
      client.connect(net.listener.localAddress());
      StreamEndpoint server = Polling.accept(net.listener);
      var over = new CountDownLatch(1);
      try {
        arm(
            net,
            UringDriverTest::computing,
            over,
            () -> {
              try {
                assertThat(pollRead(server, () -> {})).isEqualTo(StreamEndpoint.PENDING);
                assertThat(server.pollWrite(ByteBuffer.wrap(new byte[] {7}), () -> {}))
                    .isEqualTo(1);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
              server.close();
            });
        assertThat(client.getInputStream().readAllBytes()).containsExactly(7);
        assertThat(users(server)).isZero();
      } finally {
        over.countDown();
      }
    }
  }

  /** A socket of datagrams cannot be shut down: its address is taken until its poll has ended. */
  @Test
  void aBind_waitsForAClosedSocket_whilePollingItIsLeftToAWorkerThatComputes() throws Exception {
    try (var net = new Net(1, 1)) {
      var over = new CountDownLatch(1);
      DatagramEndpoint first = net.driver.openDatagram(AddressFamily.IPV4);
      first.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      var local = (InetSocketAddress) first.localAddress();
      try {
        armOnAWorkerThatComputes(
            net,
            over,
            () ->
                assertThat(first.pollReceive(ByteBuffer.allocate(1), false, null, () -> {}))
                    .isEqualTo(DatagramEndpoint.PENDING));
        first.close();
        DatagramEndpoint next = net.driver.openDatagram(AddressFamily.IPV4);
        next.bind(local);
        assertThat(next.localAddress()).isEqualTo(local);
      } finally {
        over.countDown();
      }
    }
  }

  /** Else those who do not read would use up the descriptors of a server that closes on them. */
  @Test
  void closing_whileAWriteIsHeldUp_freesTheDescriptor_thoughThePeerNeverReads() throws Exception {
    try (var net = new Net(1, 1, 64, 300)) {
      var pair = net.pair();
      var heldUp = new CompletableFuture<Boolean>();
      net.workers.run(
          0,
          () -> {
            try {
              while (pair[0].pollWrite(ByteBuffer.allocate(16_000), () -> {})
                  != StreamEndpoint.PENDING) {
                net.driver.deliver(0);
              }
              heldUp.complete(true);
            } catch (Throwable t) {
              heldUp.completeExceptionally(t);
            }
          });
      heldUp.get();
      var descriptor = ((UringStream) pair[0]).socket().descriptor();
      pair[0].close();
      Await.until(() -> descriptor.users() == 0, "the descriptor to be free");
    }
  }
}
