package dev.blitz.examples.demo;

import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.BufferedByteReader;
import dev.blitz.io.bytes.codec.Delimited;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.shutdown.Shutdown;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * A small HTTP server in direct style: a greeting, a page of figures, and one that takes its time,
 * so that there is something to drain.
 */
final class DemoServer {
  static final Duration SLOW = Duration.ofMillis(300);

  private static final byte[] HELLO = answer("text/plain", "hello\n");
  private static final Delimited HEADS =
      Delimited.by("\r\n\r\n".getBytes(StandardCharsets.US_ASCII)).limit(8 << 10);

  private final LongAdder served = new LongAdder();

  /** How long the answer to {@code /hello} is. */
  static int helloBytes() {
    return HELLO.length;
  }

  static byte[] request(String path) {
    return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Takes connections until the shutdown begins. */
  void serve(TcpListener listener, TaskScope connections, Shutdown shutdown) throws IOException {
    shutdown.whileRunning(
        listener::accept,
        stream -> connections.spawn(owning(stream), () -> answerAll(stream, shutdown)));
  }

  private void answerAll(TcpStream stream, Shutdown shutdown) throws IOException {
    var heads = HEADS.reader(BufferedByteReader.of(stream));
    try {
      while (true) {
        var head = shutdown.guard(heads.next()).await();
        if (head.isEmpty()) {
          return;
        }
        byte[] answer = answerTo(new String(head.get(), StandardCharsets.ISO_8859_1));
        stream.writeAll(ByteBuffer.wrap(answer)).await(); // not guarded: what has begun is finished
        served.increment();
      }
    } catch (CancelledException noMoreRequests) {
      if (shutdown.running()) {
        throw noMoreRequests;
      }
    }
  }

  private byte[] answerTo(String head) {
    if (head.startsWith("GET /hello ")) {
      return HELLO;
    }
    if (head.startsWith("GET /slow ")) {
      Task.sleep(SLOW).await();
      return answer("text/plain", "that took a while\n");
    }
    return answer("text/html; charset=utf-8", page());
  }

  private String page() {
    var runtime = BlitzRuntime.current();
    var stats = runtime.stats();
    return """
    <!doctype html><title>Blitz</title><body style="font-family: sans-serif; margin: 3em">
    <h1>Blitz</h1>
    <p>%s requests were answered before this one.
    <p>%s tasks live, %s were started; %s polls, %s tasks stolen, workers slept %s times.
    <p>Backend: %s
    <p><a href="/hello">hello</a>, <a href="/slow">one that takes its time</a>; ask for it, press
    Ctrl-C in the terminal, and it is still answered.
    """
        .formatted(
            Screen.number(served.sum()),
            Screen.number(stats.live()),
            Screen.number(stats.spawned()),
            Screen.number(stats.polled()),
            Screen.number(stats.stolen()),
            Screen.number(stats.timesParked()),
            runtime.backend());
  }

  private static byte[] answer(String type, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: " + length + "\r\n\r\n";
    return (head + body).getBytes(StandardCharsets.UTF_8);
  }
}
