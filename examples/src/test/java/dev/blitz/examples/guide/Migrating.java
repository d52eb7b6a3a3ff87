package dev.blitz.examples.guide;

import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.bytes.codec.LengthDelimited;
import dev.blitz.io.bytes.codec.Lines;
import dev.blitz.io.channel.Broadcast;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.channel.Oneshot;
import dev.blitz.io.channel.Watch;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Promise;
import dev.blitz.io.future.Select;
import dev.blitz.io.future.Select.First;
import dev.blitz.io.future.Select.Second;
import dev.blitz.io.future.ThrowingConsumer;
import dev.blitz.io.future.ThrowingFunction;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.policy.UncaughtHandler;
import dev.blitz.io.process.Command;
import dev.blitz.io.shutdown.Shutdown;
import dev.blitz.io.stream.Source;
import dev.blitz.io.sync.Mutex;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import dev.blitz.parallel.Parallel;
import dev.blitz.test.TestRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The right-hand columns of docs/guide/migrating.md. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
abstract class Migrating {
  abstract int load(long id) throws IOException;

  abstract void work() throws IOException;

  abstract void serve(TcpStream stream) throws IOException;

  abstract void handle(int message);

  void tokio(long id, JoinHandle<Integer> handle, Duration duration, List<Long> ids)
      throws Exception {
    Blitz.run(() -> work());
    BlitzRuntime.builder().workers(4).build();
    Task.spawn(() -> load(id));
    handle.await();
    handle.cancel();
    Task.spawnBlocking(() -> load(id)).await();
    Task.blockInPlace(() -> load(id));
    Task.sleep(duration).await();
  }

  void map(List<Long> ids) {
    TaskScope.map(ids, 16, id -> load(id));
  }

  void choice(
      Channel<Integer> channel,
      Channel<String> other,
      CancelToken token,
      Future<Integer> a,
      Future<Integer> b,
      Future<String> future,
      Duration limit)
      throws Exception {
    future.timeout(limit).await();
    Futures.join(a, b).await();
    switch (Select.first(channel.next(), token.cancelled()).await()) {
      case First(var message) -> IO.println(message);
      case Second(var done) -> IO.println("stop");
    }
    switch (Select.first(channel.next(), other.next()).await()) {
      case First(var one) -> IO.println(one);
      case Second(var two) -> IO.println(two);
    }
  }

  void channels(int x, long id, Mutex mutex) throws IOException {
    Channel<Integer> channel = Channel.bounded(64);
    channel.send(x).await();
    for (int message : channel.receiver()) {
      handle(message);
    }
    Oneshot<Integer> reply = Oneshot.create();
    Broadcast<Integer> events = Broadcast.create(64);
    Watch.of(x);
    try (var guard = mutex.lock().await()) {
      load(id);
    }
  }

  void io(
      TcpListener listener,
      TcpStream client,
      TcpStream server,
      TcpStream stream,
      Path path,
      int port)
      throws Exception {
    TcpListener.bind(port);
    listener.accept().await();
    stream.split();
    Bytes.copyBothWays(client, server).await();
    Lines.of(stream);
    LengthDelimited.ofBytes(4).reader(stream);
    LengthDelimited.ofBytes(4).writer(stream);
    AsyncFile.readText(path).await();
    Command.of("git", "log").output().await();
    Shutdown.onSignals();
  }

  void kotlin(
      long id,
      long[] data,
      Duration limit,
      JoinHandle<Integer> handle,
      UncaughtHandler handler,
      TestRuntime rt,
      Duration duration)
      throws Exception {
    try (var scope = TaskScope.open()) {
      scope.spawn(() -> work());
      scope.join();
    }
    TaskScope.open(supervise(handler));
    try (var scope = TaskScope.open()) {
      scope.spawn(() -> load(id));
    }
    Parallel.iter(data).sum();
    Task.shielded(() -> work());
    Task.timeout(limit, () -> load(id));
    Futures.outcome(handle).await();
    Promise<String> promise = Promise.create();
    rt.advance(duration);
  }

  void owned(TcpListener listener) throws IOException {
    TcpStream stream = listener.accept().await();
    Task.spawn(owning(stream), () -> serve(stream));
  }

  static <A, B> void source(Source<A> source, ThrowingFunction<A, B> f, ThrowingConsumer<B> action)
      throws Exception {
    source.map(f).each(action).await();
  }
}
