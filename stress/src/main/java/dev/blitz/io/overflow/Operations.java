package dev.blitz.io.overflow;

import static dev.blitz.io.overflow.OverflowProgram.Place.DIRECT_TASK;
import static dev.blitz.io.overflow.OverflowProgram.Place.PLATFORM_THREAD;
import static dev.blitz.io.overflow.OverflowProgram.Place.STACKLESS_TASK;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.BufferedByteReader;
import dev.blitz.io.bytes.BufferedByteWriter;
import dev.blitz.io.bytes.Duplex;
import dev.blitz.io.bytes.FrameReader;
import dev.blitz.io.bytes.FrameWriter;
import dev.blitz.io.bytes.codec.Lines;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.overflow.OverflowProgram.Place;
import dev.blitz.io.overflow.OverflowProgram.Subject;
import dev.blitz.io.sync.Barrier;
import dev.blitz.io.sync.Mutex;
import dev.blitz.io.sync.Notify;
import dev.blitz.io.sync.OnceCell;
import dev.blitz.io.sync.RwLock;
import dev.blitz.io.sync.Semaphore;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import dev.blitz.io.time.DelayQueue;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What the {@link OverflowProgram} does at each level, and how it sees that it still works. */
final class Operations {
  private static final Set<Place> ANYWHERE = Set.of(Place.values());
  private static final Set<Place> WHERE_AWAIT_IS_ALLOWED = Set.of(PLATFORM_THREAD, DIRECT_TASK);
  private static final Duration LONG = Duration.ofHours(1);
  private static final int PERMITS = 4;

  private Operations() {}

  /** Makes the subject of one operation. */
  record Maker(
      String name, Set<Place> places, java.util.function.Function<BlitzRuntime, Subject> of) {
    Subject of(BlitzRuntime runtime, Place place) {
      return of.apply(runtime);
    }
  }

  static final List<Maker> ALL =
      List.of(
          new Maker("spawn", ANYWHERE, Spawn::new),
          new Maker("spawn direct", ANYWHERE, SpawnDirect::new),
          new Maker("spawn blocking", ANYWHERE, SpawnBlocking::new),
          new Maker("wake", ANYWHERE, Wake::new),
          new Maker("wake direct", ANYWHERE, WakeDirect::new),
          new Maker("cancel", ANYWHERE, Cancel::new),
          new Maker("cancel direct", ANYWHERE, CancelDirect::new),
          new Maker("mutex try", ANYWHERE, MutexTry::new),
          new Maker("mutex poll", ANYWHERE, MutexPoll::new),
          new Maker("mutex await", WHERE_AWAIT_IS_ALLOWED, MutexAwait::new),
          new Maker("semaphore", ANYWHERE, Permits::new),
          new Maker("rwlock", ANYWHERE, ReadWrite::new),
          new Maker("notify", ANYWHERE, Notifying::new),
          new Maker("barrier", ANYWHERE, Meeting::new),
          new Maker("once cell", ANYWHERE, Once::new),
          new Maker("timer poll", Set.of(STACKLESS_TASK), TimerPoll::new),
          new Maker("timer executor", ANYWHERE, TimerExecutor::new),
          new Maker("sleep await", Set.of(DIRECT_TASK), Sleep::new),
          new Maker("delay queue", Set.of(STACKLESS_TASK, DIRECT_TASK), Delays::new),
          new Maker("join poll", ANYWHERE, JoinPoll::new),
          new Maker("join await", WHERE_AWAIT_IS_ALLOWED, JoinAwait::new),
          new Maker("scope", ANYWHERE, Scope::new),
          new Maker("token", ANYWHERE, Token::new),
          new Maker("executor", ANYWHERE, Execute::new),
          new Maker("yield", Set.of(DIRECT_TASK), Yield::new),
          new Maker("shield", Set.of(DIRECT_TASK), Shield::new),
          new Maker("block in place", Set.of(STACKLESS_TASK, DIRECT_TASK), InPlace::new),
          new Maker("bytes in memory", ANYWHERE, rt -> new InMemory()),
          new Maker("frames in memory", ANYWHERE, rt -> new Framed()),
          new Maker("dump", ANYWHERE, Dump::new),
          new Maker("close on epoll", ANYWHERE, rt -> new Closes("epoll")),
          new Maker("close on io_uring", ANYWHERE, rt -> new Closes("io_uring")));

  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but the time this takes
  private static void until(java.util.function.BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.yield();
    }
  }

  // --- Spawning ---

  /** Counts what was spawned for certain, and what has run. */
  private abstract static class Counting implements Subject {
    final BlitzRuntime runtime;
    final AtomicInteger ran = new AtomicInteger();
    int spawned;

    Counting(BlitzRuntime runtime) {
      this.runtime = runtime;
    }

    final int count() {
      return ran.incrementAndGet();
    }

    @Override
    public void check() {
      until(() -> ran.get() >= spawned);
    }
  }

  private static final class Spawn extends Counting {
    Spawn(BlitzRuntime runtime) {
      super(runtime);
    }

    @Override
    public void operate(Context cx) {
      runtime.spawn(Futures.lazy(this::count));
      spawned++;
    }
  }

  private static final class SpawnDirect extends Counting {
    SpawnDirect(BlitzRuntime runtime) {
      super(runtime);
    }

    @Override
    public void operate(Context cx) {
      runtime.spawn(() -> count());
      spawned++;
    }
  }

  private static final class SpawnBlocking extends Counting {
    SpawnBlocking(BlitzRuntime runtime) {
      super(runtime);
    }

    @Override
    public void operate(Context cx) {
      runtime.spawnBlocking(this::count);
      spawned++;
    }
  }

  private static final class Execute extends Counting {
    private final ExecutorService executor;

    Execute(BlitzRuntime runtime) {
      super(runtime);
      executor = runtime.executor();
    }

    @Override
    public void operate(Context cx) {
      executor.execute(this::count);
      spawned++;
    }

    @Override
    public void end() throws Exception {
      executor.shutdown();
      if (!executor.awaitTermination(20, TimeUnit.SECONDS)) {
        throw new AssertionError("commands were counted that never end");
      }
    }
  }

  // --- Waking and cancelling ---

  private static final class Wake implements Subject {
    private final AtomicInteger polls = new AtomicInteger();
    private volatile Waker waker = () -> {};

    Wake(BlitzRuntime runtime) {
      runtime.spawn(
          new Future<Done>() {
            @Override
            public @Nullable Done poll(Context cx) {
              waker = cx.waker();
              polls.incrementAndGet();
              return null;
            }
          });
      until(() -> polls.get() > 0);
    }

    @Override
    public void operate(Context cx) {
      waker.wake();
    }

    @Override
    public void check() {
      for (int i = 0; i < 3; i++) {
        int before = polls.get();
        waker.wake();
        until(() -> polls.get() > before);
      }
    }
  }

  private static final class WakeDirect implements Subject {
    private final AtomicInteger polls = new AtomicInteger();
    private volatile Waker waker = () -> {};

    WakeDirect(BlitzRuntime runtime) {
      runtime.spawn(() -> {
        new Future<Done>() {
          @Override
          public @Nullable Done poll(Context cx) {
            waker = cx.waker();
            polls.incrementAndGet();
            return null;
          }
        }.await();
      });
      until(() -> polls.get() > 0);
    }

    @Override
    public void operate(Context cx) {
      waker.wake();
    }

    @Override
    public void check() {
      for (int i = 0; i < 3; i++) {
        int before = polls.get();
        waker.wake();
        until(() -> polls.get() > before);
      }
    }
  }

  private static class Cancel implements Subject {
    final BlitzRuntime runtime;
    private final List<JoinHandle<?>> tasks = new ArrayList<>();
    private int next;

    Cancel(BlitzRuntime runtime) {
      this.runtime = runtime;
      refill();
    }

    private void refill() {
      tasks.clear();
      next = 0;
      for (int i = 0; i < 1500; i++) {
        tasks.add(waiting());
      }
    }

    JoinHandle<?> waiting() {
      return runtime.spawn(Futures.pending());
    }

    @Override
    public void operate(Context cx) {
      tasks.get(next++ % tasks.size()).cancel();
    }

    @Override
    public void check() {
      tasks.forEach(JoinHandle::cancel);
      tasks.forEach(t -> until(t::isDone));
      refill();
    }
  }

  private static final class CancelDirect extends Cancel {
    CancelDirect(BlitzRuntime runtime) {
      super(runtime);
    }

    @Override
    JoinHandle<?> waiting() {
      return runtime.spawn(() -> {
        Futures.pending().await();
      });
    }
  }

  // --- Sync ---

  /** Tasks that compete with the operations until the end. */
  private abstract static class Contended implements Subject {
    final BlitzRuntime runtime;
    private final AtomicInteger turns = new AtomicInteger();
    private final List<JoinHandle<Done>> rivals = new ArrayList<>();
    private volatile boolean over;

    Contended(BlitzRuntime runtime) {
      this.runtime = runtime;
    }

    final void begin() {
      for (int i = 0; i < 3; i++) {
        rivals.add(
            runtime.spawn(
                Futures.loop(() ->
                    over
                        ? Futures.stop()
                        : turn()
                            .andThen(done -> Task.yieldNow())
                            .andThen(done -> {
                              turns.incrementAndGet();
                              return Futures.more();
                            }))));
      }
    }

    /** What a rival does again and again. */
    abstract Future<Done> turn();

    /** Whether nothing is held once the rivals have ended. */
    abstract boolean isFree();

    /** The rivals go on; something that got lost would hold them up. */
    @Override
    public void check() throws Exception {
      int before = turns.get();
      until(() -> turns.get() > before + 20);
    }

    @Override
    public void end() throws Exception {
      over = true;
      for (JoinHandle<Done> rival : rivals) {
        rival.await();
      }
      if (!isFree()) {
        throw new AssertionError("something is held by nobody");
      }
    }
  }

  private static class MutexTry extends Contended {
    final Mutex mutex = Mutex.create();

    MutexTry(BlitzRuntime runtime) {
      super(runtime);
      begin();
    }

    @Override
    Future<Done> turn() {
      return mutex.lock().andThen(guard -> Task.yieldNow().whenDone(guard::close));
    }

    @Override
    boolean isFree() {
      return !mutex.isLocked();
    }

    @Override
    public void operate(Context cx) throws Exception {
      if (mutex.tryLock()) {
        mutex.unlock();
      }
    }
  }

  private static final class MutexPoll extends MutexTry {
    MutexPoll(BlitzRuntime runtime) {
      super(runtime);
    }

    @Override
    public void operate(Context cx) {
      var locking = mutex.lock();
      var guard = locking.poll(cx);
      if (guard == null) {
        locking.drop();
      } else {
        guard.close();
      }
    }
  }

  private static final class MutexAwait extends MutexTry {
    MutexAwait(BlitzRuntime runtime) {
      super(runtime);
    }

    @Override
    public void operate(Context cx) {
      mutex.lock().await().close();
    }
  }

  private static final class Permits extends Contended {
    private final Semaphore semaphore = Semaphore.create(PERMITS);

    Permits(BlitzRuntime runtime) {
      super(runtime);
      begin();
    }

    @Override
    Future<Done> turn() {
      return semaphore.acquire(3).andThen(permit -> Task.yieldNow().whenDone(permit::close));
    }

    @Override
    boolean isFree() {
      return semaphore.availablePermits() == PERMITS;
    }

    @Override
    public void operate(Context cx) {
      if (semaphore.tryAcquire(2)) {
        semaphore.release(2);
      }
      var acquiring = semaphore.acquire(2);
      var permit = acquiring.poll(cx);
      if (permit == null) {
        acquiring.drop();
      } else {
        permit.close();
      }
    }
  }

  private static final class ReadWrite extends Contended {
    private final RwLock lock = RwLock.create();

    ReadWrite(BlitzRuntime runtime) {
      super(runtime);
      begin();
    }

    @Override
    Future<Done> turn() {
      return lock.write().andThen(guard -> Task.yieldNow().whenDone(guard::close));
    }

    @Override
    boolean isFree() {
      boolean free = lock.tryWrite();
      if (free) {
        lock.unlockWrite();
      }
      return free;
    }

    @Override
    public void operate(Context cx) {
      if (lock.tryRead()) {
        lock.unlockRead();
      }
      if (lock.tryWrite()) {
        lock.unlockWrite();
      }
    }
  }

  private static final class Notifying implements Subject {
    private final Notify notify = Notify.create();
    private final AtomicInteger turns = new AtomicInteger();

    Notifying(BlitzRuntime runtime) {
      for (int i = 0; i < 3; i++) {
        runtime.spawn(
            Futures.loop(() ->
                notify
                    .notified()
                    .andThen(done -> {
                      turns.incrementAndGet();
                      return Futures.more();
                    })));
      }
    }

    @Override
    public void operate(Context cx) {
      notify.notifyOne();
      notify.notifyWaiters();
    }

    @Override
    public void check() {
      for (int i = 0; i < 20; i++) {
        int before = turns.get();
        notify.notifyOne();
        until(() -> turns.get() > before);
      }
      int before = turns.get();
      until(() -> {
        notify.notifyWaiters();
        return turns.get() > before + 20;
      });
    }
  }

  private static final class Meeting implements Subject {
    private final Barrier barrier = Barrier.create(2);

    Meeting(BlitzRuntime runtime) {}

    @Override
    public void operate(Context cx) {
      var first = barrier.arrive();
      if (first.poll(cx) == null) {
        first.drop();
      }
    }

    @Override
    public void check() {
      if (barrier.arrived() != 0) {
        throw new AssertionError(barrier.arrived() + " wait at the barrier who have left");
      }
    }
  }

  private static final class Once implements Subject {
    @SuppressWarnings("StaticAssignmentOfThrowable") // made where there is stack for it
    private static final RuntimeException REFUSED = new RuntimeException("not now");

    private final OnceCell<Integer> cell = OnceCell.create();

    Once(BlitzRuntime runtime) {}

    @Override
    public void operate(Context cx) {
      try {
        cell.getOrInit(
                () -> {
                  throw REFUSED;
                })
            .poll(cx);
      } catch (RuntimeException e) {
        if (e != REFUSED) {
          throw e;
        }
      }
    }

    @Override
    public void check() throws Exception {
      operate(Context.of(() -> {}));
    }

    @Override
    public void end() {
      if (cell.getOrInit(() -> 1).await() != 1) {
        throw new AssertionError("another value");
      }
    }
  }

  // --- Time ---

  private static final class TimerPoll implements Subject {
    private final BlitzRuntime runtime;

    TimerPoll(BlitzRuntime runtime) {
      this.runtime = runtime;
    }

    @Override
    public void operate(Context cx) {
      var sleep = Task.sleep(LONG);
      try {
        if (sleep.poll(cx) != null) {
          throw new AssertionError("an hour has passed");
        }
      } finally {
        sleep.drop();
      }
    }

    @Override
    public void check() throws Exception {
      for (int i = 0; i < 4; i++) {
        runtime.run(Task.sleep(Duration.ofMillis(1)));
      }
    }
  }

  private static final class TimerExecutor implements Subject {
    private final ScheduledExecutorService executor;

    TimerExecutor(BlitzRuntime runtime) {
      executor = runtime.scheduledExecutor();
    }

    @Override
    public void operate(Context cx) {
      executor.schedule(() -> {}, 1, TimeUnit.HOURS).cancel(false);
    }

    @Override
    public void check() throws Exception {
      executor.schedule(() -> 1, 1, TimeUnit.MILLISECONDS).get();
    }

    @Override
    public void end() throws Exception {
      executor.shutdownNow();
      if (!executor.awaitTermination(20, TimeUnit.SECONDS)) {
        throw new AssertionError("commands were counted that never end");
      }
    }
  }

  private static final class Sleep implements Subject {
    private int calls;

    Sleep(BlitzRuntime runtime) {}

    @Override
    public void operate(Context cx) {
      if (++calls % 13 == 0) { // each lasts a millisecond
        Task.sleep(Duration.ofNanos(1)).await();
      }
    }
  }

  private static final class Delays implements Subject {
    private final BlitzRuntime runtime;
    private final DelayQueue<String> queue;

    Delays(BlitzRuntime runtime) {
      this.runtime = runtime;
      queue = runtime.<DelayQueue<String>>spawn(Futures.lazy(DelayQueue::create)).await();
    }

    @Override
    public void operate(Context cx) {
      queue.remove(queue.insert("late", LONG));
    }

    @Override
    public void check() throws Exception {
      runtime.run(() -> {
        queue.insert("soon", Duration.ofMillis(1));
        if (!"soon".equals(queue.next().await())) {
          throw new AssertionError("another value");
        }
      });
    }
  }

  // --- Joining ---

  private static final class JoinPoll implements Subject {
    private final BlitzRuntime runtime;
    private final JoinHandle<?> never;

    JoinPoll(BlitzRuntime runtime) {
      this.runtime = runtime;
      never = runtime.spawn(Futures.pending());
    }

    @Override
    public void operate(Context cx) throws Exception {
      never.poll(cx);
    }

    @Override
    public void end() throws Exception {
      var joiner = runtime.spawn(Futures.outcome(never));
      never.cancel();
      joiner.await();
    }
  }

  private static final class JoinAwait implements Subject {
    private final BlitzRuntime runtime;

    JoinAwait(BlitzRuntime runtime) {
      this.runtime = runtime;
    }

    @Override
    public void operate(Context cx) throws Exception {
      runtime.spawn(Futures.ready(1)).await();
    }
  }

  private static final class Scope implements Subject {
    private final BlitzRuntime runtime;
    private TaskScope scope;

    Scope(BlitzRuntime runtime) {
      this.runtime = runtime;
      scope = TaskScope.open(runtime);
    }

    @Override
    public void operate(Context cx) {
      scope.spawn(Futures.ready(1));
      scope.spawn(() -> 2);
    }

    @Override
    public void check() {
      scope.join();
      scope.close();
      scope = TaskScope.open(runtime);
    }
  }

  private static final class Token implements Subject {
    private final BlitzRuntime runtime;
    private CancelToken root = CancelToken.create();

    Token(BlitzRuntime runtime) {
      this.runtime = runtime;
    }

    @Override
    public void operate(Context cx) {
      var token = root.child();
      var below = token.child().cancelled();
      try {
        below.poll(cx);
        token.cancel();
      } finally {
        below.drop();
      }
    }

    @Override
    public void check() {
      var task = runtime.spawn(root.cancelled());
      root.cancel();
      task.await();
      root = CancelToken.create();
    }
  }

  // --- The task itself ---

  private static final class Yield implements Subject {
    Yield(BlitzRuntime runtime) {}

    @Override
    public void operate(Context cx) {
      Task.yieldNow().await();
    }
  }

  private static final class Shield implements Subject {
    Shield(BlitzRuntime runtime) {}

    @Override
    public void operate(Context cx) throws Exception {
      Task.shielded(() -> 1);
    }
  }

  private static final class InPlace implements Subject {
    InPlace(BlitzRuntime runtime) {}

    @Override
    public void operate(Context cx) throws Exception {
      Task.blockInPlace(() -> 1);
    }
  }

  private static final class Dump implements Subject {
    private final BlitzRuntime runtime;

    Dump(BlitzRuntime runtime) {
      this.runtime = runtime;
      runtime.spawn(Futures.pending());
    }

    @Override
    public void operate(Context cx) {
      runtime.dump();
      runtime.stats();
    }
  }

  /**
   * Writes and reads through buffers and a duplex at each level, by calls and by futures: no byte
   * is lost, repeated or swapped, and no side stays taken.
   */
  private static final class InMemory implements Subject {
    private static final int LENGTH = 1 << 20;

    private final ByteBuffer source = ByteBuffer.allocate(LENGTH);
    private final ByteBuffer target = ByteBuffer.allocate(LENGTH);
    private final Duplex duplex = Duplex.ofCapacity(7);
    private final BufferedByteWriter out = BufferedByteWriter.ofCapacity(11, duplex.near());
    private final BufferedByteReader in = BufferedByteReader.ofCapacity(5, duplex.far());

    InMemory() {
      for (int i = 0; i < LENGTH; i++) {
        source.put(i, (byte) (i % 251));
      }
    }

    @Override
    public void operate(Context cx) throws Exception {
      if (source.remaining() > 100 && target.remaining() > 100) {
        out.tryWrite(source);
        in.tryRead(target);
        finish(out.flush(), cx);
        finish(in.read(target), cx);
      }
    }

    private static void finish(Future<?> future, Context cx) throws Exception {
      if (future.poll(cx) == null) {
        future.drop();
      }
    }

    @Override
    public void check() throws Exception {
      var flush = out.flush();
      Context nobody = Context.of(() -> {});
      while (flush.poll(nobody) == null) {
        in.tryRead(target);
      }
      while (in.tryRead(target) > 0) {
        // go on
      }
      if (!target.duplicate().flip().equals(source.duplicate().flip())) {
        throw new AssertionError(
            source.position() + " bytes written, " + target.position() + " read, or others");
      }
      source.clear();
      target.clear();
    }
  }

  /** Lines of which each is written and read at each level, by futures that may be dropped. */
  private static final class Framed implements Subject {
    private final Duplex duplex = Duplex.ofCapacity(64);
    private final FrameWriter<String> out = Lines.codec().writer(duplex.near());
    private final FrameReader<String> in = Lines.of(duplex.far());
    private int next;
    private int last = -1;

    @Override
    public void operate(Context cx) throws Exception {
      int number = next++;
      InMemory.finish(out.write(Integer.toString(number)), cx);
      InMemory.finish(out.flush(), cx);
      read(cx);
    }

    /** Each at most once, in order. One that overflows between its decoding and us is gone. */
    private void read(Context cx) throws Exception {
      String line = in.pollNext(cx);
      if (line != null) {
        int number = Integer.parseInt(line);
        if (number <= last) {
          throw new AssertionError(number + " after " + last);
        }
        last = number;
      } else {
        in.forgetNext();
      }
    }

    @Override
    public void check() throws Exception {
      Context nobody = Context.of(() -> {});
      int number = next++;
      var sending = out.send(Integer.toString(number));
      while (sending.poll(nobody) == null) {
        read(nobody);
      }
      while (last != number) {
        read(nobody);
      }
    }
  }

  /**
   * Connections of a runtime of its own, so that it can be one of each backend, with a reader each,
   * closed at each level: a close that cannot be done does nothing, and can be done again.
   */
  private static final class Closes implements Subject {
    private static final int CONNECTIONS = 32;
    private static final int BYSTANDERS = 4;

    private final @Nullable BlitzRuntime runtime;
    private final List<TcpStream> streams = new ArrayList<>();
    private final List<JoinHandle<Integer>> readers = new ArrayList<>();
    private final List<Socket> peers = new ArrayList<>();
    private int next = BYSTANDERS;

    Closes(String backend) {
      boolean available =
          Backends.probeAll().stream().anyMatch(p -> p.name().equals(backend) && p.available());
      runtime =
          available
              ? BlitzRuntime.builder()
                  .backend(backend)
                  .workers(1)
                  .uncaughtHandler((task, closed) -> {})
                  .build()
              : null;
      refill();
    }

    private void refill() {
      if (runtime == null) {
        return;
      }
      try (TcpListener listener = runtime.run(Futures.lazy(() -> TcpListener.bind(0)))) {
        var address = listener.localAddress();
        for (int i = 0; i < CONNECTIONS; i++) {
          peers.add(new Socket(InetAddress.getLoopbackAddress(), address.getPort()));
          TcpStream stream = listener.accept().await();
          streams.add(stream);
          readers.add(runtime.spawn(stream.read(ByteBuffer.allocate(1))));
        }
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      next = BYSTANDERS;
    }

    @Override
    public void operate(Context cx) {
      if (next < streams.size()) {
        streams.get(next).close();
        next++;
      }
    }

    @Override
    public void check() throws Exception {
      if (runtime == null) {
        return;
      }
      for (int i = 0; i < BYSTANDERS; i++) {
        peers.get(i).getOutputStream().write('x');
        if (readers.get(i).await() != 1) {
          throw new AssertionError("another result of a bystander");
        }
      }
      for (int i = BYSTANDERS; i < streams.size(); i++) {
        streams.get(i).close();
        until(readers.get(i)::isDone);
        if (peers.get(i).getInputStream().read() >= 0) {
          throw new AssertionError("no end for the peer");
        }
      }
      for (int i = 0; i < streams.size(); i++) {
        streams.get(i).close();
        peers.get(i).close();
      }
      streams.clear();
      readers.clear();
      peers.clear();
      refill();
    }

    @Override
    public void end() throws Exception {
      for (int i = 0; i < streams.size(); i++) {
        streams.get(i).close();
        peers.get(i).close();
      }
      if (runtime != null) {
        runtime.close();
      }
    }
  }
}
