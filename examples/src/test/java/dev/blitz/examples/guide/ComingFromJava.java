package dev.blitz.examples.guide;

import static dev.blitz.io.task.SpawnOptions.owning;
import static java.util.stream.Collectors.groupingBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.Decoder;
import dev.blitz.io.bytes.FrameReader;
import dev.blitz.io.bytes.FrameWriter;
import dev.blitz.io.bytes.codec.Codec;
import dev.blitz.io.bytes.codec.Delimited;
import dev.blitz.io.bytes.codec.LengthDelimited;
import dev.blitz.io.bytes.codec.Lines;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Promise;
import dev.blitz.io.future.ThrowingFunction;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.net.tls.TlsServer;
import dev.blitz.io.net.tls.TlsStream;
import dev.blitz.io.sync.Semaphore;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import dev.blitz.parallel.IntAction;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.parallel.Work;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The right-hand columns of docs/guide/coming-from-java.md. */
@SuppressWarnings({"CheckReturnValue", "try", "FutureReturnValueIgnored"}) // only to be compiled
abstract class ComingFromJava {
  abstract int load(long id) throws IOException;

  abstract void serve(TcpStream stream) throws IOException;

  abstract void handle(String line);

  abstract int fib(int n);

  void virtualThreads(Runnable task, long id, Duration duration, JoinHandle<Integer> handle)
      throws IOException {
    Task.spawn(task::run);
    Task.spawn(() -> load(id)).await();
    try (var scope = TaskScope.open()) {
      scope.spawn(() -> load(id));
      scope.join();
    }
    Task.sleep(duration).await();
    handle.cancel();
  }

  void map(List<Long> ids) {
    TaskScope.map(ids, 16, id -> load(id));
  }

  <A> void recover(Future<A> future, ThrowingFunction<Exception, A> f) {
    future.recover(f);
  }

  void waiting(
      Semaphore semaphore,
      int x,
      int port,
      long id,
      TcpStream stream,
      ByteBuffer buffer,
      Duration limit,
      JoinHandle<String> near,
      JoinHandle<String> far)
      throws IOException {
    Channel<Integer> channel = Channel.bounded(64);
    channel.send(x).await();
    channel.receive().await();
    try (var permit = semaphore.acquire().await()) {
      load(id);
    }
    TcpListener.bind(port).accept().await();
    stream.read(buffer).await();
    stream.writeAll(buffer).await();
    Task.timeout(limit, () -> load(id));
    Futures.race(near.cancelOnDrop(), far.cancelOnDrop()).await();
  }

  <A, B> void futures(
      Future<A> future,
      ThrowingFunction<A, Future<B>> f,
      Future<Integer> a,
      Future<Integer> b,
      List<Future<Integer>> list,
      TcpStream stream)
      throws Exception {
    future.map(f);
    future.andThen(f);
    future.whenDone(stream::close);
    Futures.join(a, b).map(both -> both.first() + both.second());
    Futures.joinAll(list);
    Futures.race(list);
    future.timeout(Duration.ofSeconds(2));
    future.await();
  }

  void stages(CompletionStage<String> stage, JoinHandle<String> handle, String x) {
    Promise<String> promise = Promise.create();
    promise.complete(x);
    promise.future();
    Futures.from(stage);
    handle.toCompletableFuture();
  }

  void netty(
      TcpListener listener,
      TaskScope connections,
      TcpStream stream,
      TlsServer tls,
      Codec<String> codec,
      Decoder<String> decoder,
      byte[] delimiter,
      ByteBuffer buffer,
      Duration duration,
      String frame,
      long id)
      throws IOException {
    listener.accept();
    connections.spawn(owning(stream), () -> serve(stream));
    for (String line : Lines.of(stream)) {
      handle(line);
    }
    FrameWriter<String> writer = codec.writer(stream);
    writer.write(frame).await();
    writer.flush().await();
    FrameReader.of(stream, decoder);
    LengthDelimited.ofBytes(4);
    Lines.codec();
    Delimited.by(delimiter);
    stream.read(buffer).timeout(Duration.ofMinutes(1));
    tls.accept(stream);
    Task.sleep(duration);
    BlitzRuntime.builder().backend("io_uring");
    Task.blockInPlace(() -> load(id));
  }

  void parallel(
      List<String> list,
      long[] a,
      int from,
      int to,
      int n,
      Function<String, String> f,
      Pool pool,
      Work<String, RuntimeException> work) {
    Parallel.iter(list).map(f).toList();
    Map<String, List<String>> groups = Parallel.iter(list).collect(groupingBy(f));
    Parallel.iter(a).sum();
    Parallel.iter(a, from, to).sum();
    Parallel.rangeClosed(1, n).sum();
    Parallel.sort(a);
    Parallel.joinInt(() -> fib(n - 1), () -> fib(n - 2), Integer::sum);
    Pool.common();
    pool.call(() -> Parallel.iter(a).sum());
    Parallel.blocking(work);
    IO.println(groups);
  }

  void loop(int n, IntAction<RuntimeException> f) {
    Parallel.parallelFor(0, n, f);
  }

  static TlsStream accept(TlsServer tls, TcpStream stream) throws IOException {
    return tls.accept(stream).await();
  }
}
