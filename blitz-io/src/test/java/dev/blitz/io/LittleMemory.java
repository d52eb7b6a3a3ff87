package dev.blitz.io;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Transfer;
import dev.blitz.io.internal.wait.SafeCalls;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import dev.blitz.io.time.DelayQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Does something while there is no memory, in a JVM with a small heap; then with a little more, so
 * that each allocation is once the one that fails. What has been begun is ended or not begun.
 */
public final class LittleMemory {
  private static final Duration LONG = Duration.ofSeconds(8);

  /** More small pieces than any of it takes. */
  private static final int MOST_PIECES = 60;

  /** As deep as wakers nest, less one: what the deepest of these wakes waits. */
  private static final int DEEPEST_WAKERS = 31;

  /** More than those who wait find room for without memory. */
  private static final int MOST_WAKERS = 100;

  /** What is done. */
  enum Part {
    /** A stage ends that is waited for: it swallows what its callback throws. */
    STAGE,
    /** Commands are handed to an executor, which has to end later. */
    EXECUTOR,
    /** A wait for a value is dropped that has been promised it. */
    DELAY_QUEUE,
    /** Wakers wake each other, more than nest on the stack. */
    WAKERS,
    /** A worker is handed over to a thread that waits for one. */
    HAND_OVER,
    /** A scope cancels its children. */
    SCOPE,
    /** Bytes are read to the heap. */
    READ,
    /** Bytes that have come are read to two buffers. */
    READ_TWO
  }

  /** What fills the last gaps: each is the first element of the next. */
  private static Object @Nullable [] gaps;

  private static int refused;

  private LittleMemory() {}

  public static void main(String[] args) throws Exception {
    Part part = Part.valueOf(args[0]);
    String wrong = "";
    for (int round = -2; round <= MOST_PIECES && wrong.isEmpty(); round++) {
      wrong = once(part, round); // the first two with memory: classes and call sites
    }
    System.out.println("refused: " + (refused > 0) + ", " + refused);
    System.out.println("wrong: " + (wrong.isEmpty() ? "none" : wrong));
    System.exit(0);
  }

  private static String once(Part part, int pieces) throws Exception {
    return switch (part) {
      case STAGE -> stage(pieces);
      case EXECUTOR -> executor(pieces);
      case DELAY_QUEUE -> delayQueue(pieces);
      case WAKERS -> wakers(pieces);
      case HAND_OVER -> handOver(pieces);
      case SCOPE -> scope(pieces);
      case READ -> read(pieces);
      case READ_TWO -> readTwo(pieces);
    };
  }

  /** Does it with so many small pieces of memory; with all of it for less than 0. */
  public static void with(int pieces, Runnable body) {
    boolean full = pieces >= 0;
    try {
      if (full) {
        FullHeap.fill();
        fillGaps(pieces);
      }
      body.run();
    } catch (OutOfMemoryError e) {
      refused++;
    } finally {
      gaps = null;
      FullHeap.clear();
    }
  }

  private static void fillGaps(int pieces) {
    for (int taken = 1; taken > 0; ) { // an error's own garbage is a gap for the next time
      taken = 0;
      try {
        while (true) {
          var more = new Object[] {gaps};
          gaps = more;
          taken++;
        }
      } catch (OutOfMemoryError e) {
        refused++;
      }
    }
    for (int i = 0; i < pieces; i++) {
      gaps = gaps == null ? null : (Object[]) gaps[0];
    }
  }

  private static String stage(int pieces) throws Exception {
    var woken = new AtomicInteger();
    Waker waker = woken::incrementAndGet;
    Context cx = Context.of(waker);
    var stage = new CompletableFuture<Integer>();
    var future = Futures.from(stage);
    if (future.poll(cx) != null) {
      return "an end before the end";
    }
    with(pieces, () -> stage.complete(1));
    Integer value = future.poll(cx);
    return value == null || woken.get() == 0 ? "the end of a stage with " + pieces : "";
  }

  private static String executor(int pieces) throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).closeTimeout(LONG).build()) {
      var executor = runtime.executor();
      Runnable command = () -> {};
      executor.submit(command).get();
      with(pieces, () -> executor.execute(command));
      executor.shutdown();
      boolean ended = executor.awaitTermination(LONG.toSeconds(), TimeUnit.SECONDS);
      return ended ? "" : "the end of an executor with " + pieces;
    }
  }

  private static String delayQueue(int pieces) throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).closeTimeout(LONG).build()) {
      Context cx = Context.of(() -> {});
      DelayQueue<Integer> queue = runtime.spawnBlocking(() -> DelayQueue.<Integer>create()).await();
      queue.insert(0, Duration.ofHours(1));
      var first = queue.next();
      if (first.poll(cx) != null) {
        return "a value before its time";
      }
      queue.insert(1, Duration.ZERO);
      while (queue.size() == 2) {
        Thread.onSpinWait(); // its tick
      }
      with(pieces, first::drop);
      long end = System.nanoTime() + LONG.toNanos();
      Integer value = queue.tryNext();
      while (value == null && System.nanoTime() - end < 0) {
        value = queue.tryNext();
      }
      return value == null ? "a value with " + pieces : "";
    }
  }

  /** On a thread of its own, which has no room yet for wakers that wait for each other. */
  private static String wakers(int pieces) throws Exception {
    var woken = new AtomicInteger();
    Thread thread = new Thread(() -> wakeNested(pieces, woken));
    thread.start();
    thread.join();
    return woken.get() == MOST_WAKERS ? "" : woken + " wakes with " + pieces;
  }

  /** The first has all others woken, at a depth at which they wait for each other. */
  private static void wakeNested(int pieces, AtomicInteger woken) {
    Waker last = woken::incrementAndGet;
    SafeCalls.wake(last); // with memory: the first of a thread
    woken.set(0);
    Waker deepest =
        () -> {
          for (int i = 0; i < MOST_WAKERS; i++) {
            SafeCalls.wake(last);
          }
        };
    Waker next = deepest;
    for (int i = 0; i < DEEPEST_WAKERS; i++) {
      Waker inner = next;
      next = () -> SafeCalls.wake(inner);
    }
    Waker first = next;
    with(pieces, () -> SafeCalls.wake(first));
  }

  private static String handOver(int pieces) throws Exception {
    var runtime = BlitzRuntime.builder().workers(1).build();
    runtime.run(Futures.lazy(LittleMemory::blockInPlace)); // leaves a thread that waits
    runtime.run(
        Futures.lazy(() -> {
          with(pieces, LittleMemory::blockInPlace);
          return Done.DONE;
        }));
    int seven = runtime.run(Futures.lazy(() -> 7)); // somebody drives the worker
    boolean clean = runtime.close(LONG).clean();
    return clean && seven == 7 ? "" : "a thread of a hand-over with " + pieces;
  }

  private static Done blockInPlace() {
    Task.blockInPlace(() -> {});
    return Done.DONE;
  }

  private static String scope(int pieces) throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).closeTimeout(LONG).build()) {
      var scope = TaskScope.open(runtime);
      List<JoinHandle<Integer>> children = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        children.add(scope.spawn(Futures.<Integer>pending()));
      }
      with(pieces, scope::cancel);
      scope.cancel();
      long end = System.nanoTime() + LONG.toNanos();
      while (!children.stream().allMatch(JoinHandle::isDone)) {
        if (System.nanoTime() - end >= 0) {
          return "the cancel of a scope with " + pieces;
        }
        Thread.onSpinWait();
      }
      scope.close();
      return "";
    }
  }

  /** What a call has brought is lost, if it fails after it. */
  private static String read(int pieces) {
    CallFrame frame = CallFrame.take(); // kept: the next one is new too
    var target = ByteBuffer.allocate(8);
    var calls = new AtomicInteger();
    var brought = new AtomicInteger();
    Transfer.Single call =
        (used, fd, memory, length) -> {
          calls.incrementAndGet();
          return 1;
        };
    with(pieces, () -> brought.set(Transfer.in(frame, -1, target, call)));
    return calls.get() == brought.get() ? "" : "a byte with " + pieces;
  }

  /** What the first buffer has got is lost, if there is none for the second. */
  private static String readTwo(int pieces) throws Exception {
    if (!TestBackends.probe("io_uring").available()) {
      refused++;
      return "";
    }
    byte[] all = {1, 2, 3, 4, 5, 6};
    var first = ByteBuffer.allocate(2);
    var second = ByteBuffer.allocateDirect(4); // it takes more than the first one leaves
    var woken = new AtomicInteger();
    Context cx = Context.of(woken::incrementAndGet);
    try (var runtime =
            BlitzRuntime.builder().backend("io_uring").workers(1).closeTimeout(LONG).build();
        var listener = runtime.run(Futures.lazy(() -> TcpListener.bind(0)));
        var peer = new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort());
        var stream = runtime.run(listener.accept())) {
      if (stream.pollRead(cx, first) != ByteReader.PENDING) {
        return "bytes before there were any";
      }
      peer.getOutputStream().write(all);
      while (woken.get() == 0) {
        Thread.onSpinWait();
      }
      with(pieces, () -> readSome(stream, cx, first, second));
      while (second.hasRemaining()) {
        if (readSome(stream, cx, first, second) <= 0) {
          return "bytes of two buffers with " + pieces;
        }
      }
    }
    boolean right =
        Arrays.equals(first.array(), Arrays.copyOf(all, 2))
            && second.flip().equals(ByteBuffer.wrap(all, 2, 4));
    return right ? "" : "the order with " + pieces;
  }

  private static long readSome(TcpStream from, Context cx, ByteBuffer first, ByteBuffer second) {
    try {
      return from.pollReadVectored(cx, first, second);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
