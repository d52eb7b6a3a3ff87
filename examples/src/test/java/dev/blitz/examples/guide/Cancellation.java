package dev.blitz.examples.guide;

import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Deadline;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** docs/guide/cancellation.md. */
abstract class Cancellation {
  abstract String ask(TcpStream stream) throws IOException;

  abstract void serve(TcpStream stream) throws IOException;

  abstract void work(TcpStream connection) throws IOException;

  abstract void sayGoodbye(TcpStream connection) throws IOException;

  abstract void log(Exception e);

  abstract String fetch(String what) throws IOException;

  static String searchFor(String what) {
    Task.sleep(Duration.ofHours(1)).await();
    return what;
  }

  String timeouts(int port) throws IOException {
    var stream = TcpStream.connect("localhost", port).timeout(Duration.ofSeconds(5)).await();
    String page = Task.timeout(Duration.ofSeconds(2), () -> ask(stream));
    return page;
  }

  void deadline(TcpStream connection, ByteBuffer request, ByteBuffer answer) throws IOException {
    Deadline limit = Deadline.after(Duration.ofSeconds(2));
    connection.writeAll(request).timeoutAt(limit).await();
    connection.readFully(answer).timeoutAt(limit).await();
  }

  static void cancel() {
    var search = Task.spawn(() -> searchFor("needle"));
    search.cancel();
    switch (Futures.outcome(search).await()) {
      case Outcome.Success(var found) -> IO.println("found before: " + found);
      case Outcome.Failure(var cause) -> IO.println("failed before: " + cause);
      case Outcome.Cancelled<String> _ -> IO.println("given up");
    }
  }

  void look(TcpStream stream) throws IOException {
    try {
      serve(stream);
    } catch (CancelledException e) {
      throw e;
    } catch (RuntimeException e) {
      log(e);
    }
  }

  void shield(TcpStream connection) throws IOException {
    try {
      work(connection);
    } finally {
      Task.shielded(() -> sayGoodbye(connection));
    }
  }

  String tokens(Channel<String> inbox) {
    CancelToken server = CancelToken.create();
    CancelToken request = server.child();
    String answer = request.guard(inbox.receive()).await();
    return answer;
  }

  String scopes() {
    try (var scope = TaskScope.open()) {
      var user = scope.spawn(() -> fetch("user"));
      var posts = scope.spawn(() -> fetch("posts"));
      scope.join(Duration.ofSeconds(2));
      return user.get() + posts.get();
    }
  }
}
