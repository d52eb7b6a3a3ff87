package dev.blitz.examples;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A small HTTP server that greets: a hand-written future per connection, which reads and writes
 * without boxing and keeps the connection open as HTTP/1.1 asks.
 *
 * <p>Shows: TcpListener, pollRead and pollWrite. Run: {@code ./blitz example HttpHello 8080}, then
 * {@code curl localhost:8080}.
 */
public final class HttpHello {
  private HttpHello() {}

  /** Serves until it is killed; the argument is the port. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0 && !args[0].matches("\\d{1,5}")) {
      IO.println("a port is a number, not " + args[0]);
      return;
    }
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    try (var runtime = BlitzRuntime.create()) {
      TcpListener listener = runtime.run(Futures.lazy(() -> TcpListener.bind(port)));
      IO.println("listening on port " + port + ", " + runtime.backend());
      runtime.run(serve(listener));
    }
  }

  /** Accepts connections for ever. */
  static Future<Done> serve(TcpListener listener) {
    return Futures.loop(() ->
            listener
                .accept()
                .andThen(stream -> {
                  Task.spawn(new Connection(stream)).detach();
                  return Futures.more();
                }))
        .whenDone(listener::close);
  }

  /** One connection: a request, its answer, and again. */
  private static final class Connection implements Future<Done> {
    private static final byte[] ANSWER =
        """
        HTTP/1.1 200 OK\r
        Content-Type: text/plain\r
        Content-Length: 6\r
        \r
        hello
        """
            .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END_OF_REQUEST = {'\r', '\n', '\r', '\n'};

    private final TcpStream stream;
    private final ByteBuffer received = ByteBuffer.allocate(8192);
    private final ByteBuffer answer = ByteBuffer.wrap(ANSWER).limit(0);
    private boolean closeAfterAnswer;

    Connection(TcpStream stream) {
      this.stream = stream;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      try {
        return answerWhatComes(cx);
      } catch (IOException gone) {
        stream.close();
        return Done.DONE;
      }
    }

    private @Nullable Done answerWhatComes(Context cx) throws IOException {
      while (true) {
        int n;
        if (answer.hasRemaining()) {
          n = stream.pollWrite(cx, answer);
        } else if (closeAfterAnswer || !received.hasRemaining()) {
          n = -1; // done, or a request that is too long
        } else if (takeRequest()) {
          answer.clear();
          continue;
        } else {
          n = stream.pollRead(cx, received);
        }
        if (n == TcpStream.PENDING) {
          return null;
        }
        if (n < 0) {
          stream.close();
          return Done.DONE;
        }
      }
    }

    /** Removes one whole request from what was received, if there is one. */
    private boolean takeRequest() {
      int end = indexOfEnd();
      if (end < 0) {
        return false;
      }
      String request = new String(received.array(), 0, end, StandardCharsets.US_ASCII);
      closeAfterAnswer = request.contains("HTTP/1.0");
      received.flip().position(end);
      received.compact();
      return true;
    }

    private int indexOfEnd() {
      int matched = 0;
      for (int i = 0; i < received.position(); i++) {
        byte b = received.get(i);
        matched = b == END_OF_REQUEST[matched] ? matched + 1 : b == '\r' ? 1 : 0;
        if (matched == END_OF_REQUEST.length) {
          return i + 1;
        }
      }
      return -1;
    }

    @Override
    public void drop() {
      stream.close();
    }

    @Override
    public String toString() {
      return "a request from " + stream;
    }
  }
}
