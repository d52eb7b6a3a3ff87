package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.DriverHost;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.Seats;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Threads outside arm, cancel and drop operations on the rings of workers that fall asleep and wake
 * all the time, and whose threads change: every submission reaches the kernel, every completion its
 * waiter, every byte arrives in order.
 */
public final class UringHandOverSeededStress implements SeededStress {
  private static final int MAX_WORKERS = 3;
  private static final int MAX_PAIRS = 4;
  private static final int MAX_MESSAGES = 200;
  private static final int MAX_BYTES = 30_000;

  @Override
  public void run(long seed, Duration budget) {
    if (new UringBackend().probe().available()) {
      Rounds.run(seed, budget, UringHandOverSeededStress::round);
    }
  }

  private static void round(SplittableRandom random) throws Exception {
    int count = random.nextInt(1, MAX_WORKERS + 1);
    // With few buffers, streams that are read late keep the others from having any.
    int buffers = 1 << random.nextInt(1, 10);
    var driver =
        new UringDriver(new Seats(count, TimeSource.system()), new UringBackend().probe(), buffers);
    var workers = new Workers(driver, count);
    ListenerEndpoint listener = driver.openListener(AddressFamily.IPV4);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    listener.listen(16);
    var crew = new Crew(random);
    for (int pair = random.nextInt(1, MAX_PAIRS + 1); pair > 0; pair--) {
      StreamEndpoint client = driver.openStream(AddressFamily.IPV4);
      var bell = new Bell();
      while (!client.pollConnect(listener.localAddress(), bell)) {
        bell.await("a connection");
      }
      StreamEndpoint server = accept(listener);
      int messages = random.nextInt(1, MAX_MESSAGES);
      crew.start(own -> send(client, messages, own));
      crew.start(own -> receive(server, own));
    }
    crew.start(own -> workers.changeThreads(own, random.nextInt(8)));
    crew.join();
    workers.stop();
    driver.close();
  }

  private static StreamEndpoint accept(ListenerEndpoint listener) throws IOException {
    var bell = new Bell();
    for (; ; ) {
      StreamEndpoint stream = listener.pollAccept(bell);
      if (stream != null) {
        return stream;
      }
      bell.await("an accept");
    }
  }

  private static byte pattern(long position) {
    return (byte) ((position * 31) >> 3);
  }

  private static void send(StreamEndpoint stream, int messages, SplittableRandom random)
      throws IOException {
    var bell = new Bell();
    long position = 0;
    for (int i = 0; i < messages; i++) {
      byte[] bytes = new byte[random.nextInt(1, MAX_BYTES)];
      for (int b = 0; b < bytes.length; b++) {
        bytes[b] = pattern(position + b);
      }
      for (int done = 0; done < bytes.length; ) {
        int n = stream.pollWrite(ByteBuffer.wrap(bytes, done, bytes.length - done), bell);
        if (n != StreamEndpoint.PENDING) {
          done += n;
        } else if (random.nextInt(4) == 0) {
          stream.forgetWriter();
        } else {
          bell.await("room to write");
        }
      }
      position += bytes.length;
      Patience.delay(random);
    }
    stream.close();
  }

  private static void receive(StreamEndpoint stream, SplittableRandom random) throws IOException {
    var bell = new Bell();
    long position = 0;
    for (; ; ) {
      byte[] bytes = new byte[random.nextInt(1, 2 * MAX_BYTES)];
      int n = stream.pollRead(ByteBuffer.wrap(bytes), bell);
      if (n == StreamEndpoint.EOF) {
        break;
      }
      if (n == StreamEndpoint.PENDING) {
        if (random.nextInt(4) == 0) {
          stream.forgetReader(); // dropped: the next poll must find what arrives
        } else {
          bell.await("bytes at " + position);
        }
        continue;
      }
      for (int b = 0; b < n; b++) {
        if (bytes[b] != pattern(position + b)) {
          throw new AssertionError("a wrong byte at " + (position + b));
        }
      }
      position += n;
    }
    stream.close();
  }

  /** Remembers wakes. */
  private static final class Bell implements Waker {
    private volatile boolean rung;

    @Override
    public void wake() {
      rung = true;
    }

    void await(String what) {
      Patience.until(() -> rung, () -> what);
      rung = false;
    }
  }

  /** Threads that park and deliver, and may be replaced. */
  private static final class Workers implements DriverHost {
    private final UringDriver driver;
    private final AtomicReferenceArray<@Nullable Thread> current;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;

    Workers(UringDriver driver, int count) {
      this.driver = driver;
      current = new AtomicReferenceArray<>(count);
      driver.start(this);
      for (int i = 0; i < count; i++) {
        begin(i);
      }
    }

    private void begin(int worker) {
      Thread thread = Thread.ofPlatform().daemon().unstarted(() -> drive(worker));
      current.set(worker, thread);
      threads.add(thread);
      thread.start();
    }

    private void drive(int worker) {
      driver.attach(worker);
      while (!stopping && current.get(worker) == Thread.currentThread()) {
        if (driver.park(worker, Long.MAX_VALUE)) {
          driver.deliver(worker);
        }
      }
    }

    /** Ends a worker's thread and lets another one go on, some times. */
    void changeThreads(SplittableRandom random, int times) throws InterruptedException {
      for (int i = 0; i < times; i++) {
        int worker = random.nextInt(current.length());
        Thread before = current.getAndSet(worker, null);
        driver.unpark(worker);
        if (before != null) {
          before.join();
        }
        begin(worker);
        Patience.delay(random);
      }
    }

    void stop() throws InterruptedException {
      stopping = true;
      for (int i = 0; i < current.length(); i++) {
        driver.unpark(i);
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }

    @Override
    public int currentWorker() {
      return -1;
    }

    @Override
    public void callWorker() {
      for (int i = 0; i < current.length(); i++) {
        driver.unpark(i);
      }
    }
  }
}
