package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.BufferedByteReader;
import dev.blitz.io.bytes.BufferedByteWriter;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.bytes.TooLongException;
import dev.blitz.io.bytes.codec.Delimited;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.fs.FileTree;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.shutdown.Shutdown;
import dev.blitz.io.shutdown.ShutdownReport;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files of a directory by HTTP/1.1: connections that stay open, pipelined requests,
 * ranges, and directories as chunked lists.
 *
 * <p>Shows: frames, buffers, files and an orderly end in one server. Run: {@code ./blitz example
 * FileServer 8080 docs}, then {@code curl localhost:8080/} or a browser.
 */
public final class FileServer {
  private static final int MOST_CLIENTS = 1_000;
  private static final int DRAINED = 64 << 10; // of a body that nobody wants; its sender reads on
  private static final int SMALL = 16 << 10; // read, and sent in one piece with its head
  private static final int LARGER = SMALL + (1 << 10); // of these the system sends its memory
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Delimited HEADS =
      Delimited.by("\r\n\r\n".getBytes(StandardCharsets.US_ASCII)).limit(8 << 10);
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "txt", "text/plain; charset=utf-8",
          "md", "text/plain; charset=utf-8",
          "java", "text/plain; charset=utf-8",
          "css", "text/css",
          "js", "text/javascript",
          "json", "application/json",
          "png", "image/png",
          "svg", "image/svg+xml");

  private final Path root;

  FileServer(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  /** Serves until a signal: port and directory. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0 && !args[0].matches("\\d{1,5}")) {
      IO.println("a port is a number, not " + args[0]);
      return;
    }
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    Path root = Path.of(args.length > 1 ? args[1] : ".");
    if (!Files.isDirectory(root)) {
      IO.println("there is no directory " + root);
      return;
    }
    var server = new FileServer(root);
    Blitz.run(() -> {
      try (var shutdown = Shutdown.onSignals();
          var listener =
              TcpListener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
        IO.println("http://localhost:" + listener.localAddress().getPort() + "/");
        IO.println(server.serve(listener, shutdown));
      }
    });
  }

  ShutdownReport serve(TcpListener listener, Shutdown shutdown) throws IOException {
    try (var clients =
        shutdown.track(TaskScope.open(supervise(FileServer::tell).and(limit(MOST_CLIENTS))))) {
      shutdown.whileRunning(
          listener::accept,
          client -> clients.spawn(owning(client), () -> answer(client, shutdown)));
      listener.close(); // from now on clients are refused
      return shutdown.drain(Duration.ofSeconds(10));
    }
  }

  /** A client that cuts its connection off is nothing to tell of. */
  private static void tell(Object client, Throwable e) {
    if (!(e instanceof SocketException)) {
      IO.println(client + ": " + e);
    }
  }

  /** What does not fit into its buffer goes past it. */
  static BufferedByteWriter writer(ByteWriter client) {
    return BufferedByteWriter.ofCapacity(LARGER, client);
  }

  /** Answers request after request. */
  private void answer(TcpStream client, Shutdown shutdown) throws IOException {
    client.noDelay(true); // the end of a file does not wait until the client has confirmed its head
    var in = BufferedByteReader.of(client);
    var out = writer(client);
    var heads = HEADS.reader(in);
    boolean open = true;
    while (open) {
      try {
        var head = shutdown.guard(heads.next()).timeout(IDLE).await();
        if (head.isEmpty()) {
          return;
        }
        var request = Request.parse(new String(head.get(), StandardCharsets.ISO_8859_1));
        open = respond(request, out) && request.staysOpen() && shutdown.running();
      } catch (TooLongException e) {
        status(out, "431 Request Header Fields Too Large"); // the reader goes on behind it
      } catch (TimedOutException idle) {
        return;
      } catch (CancelledException noMoreRequests) {
        if (shutdown.running()) {
          throw noMoreRequests;
        }
        open = false;
      }
      if (!in.buffered().hasRemaining()) { // else the next answer goes with this one
        out.flush().await();
      }
    }
    out.shutdown().await();
    // What it still sends is read: closing before that would be a reset, and take the answer away.
    Futures.outcome(in.readToEnd(DRAINED).timeout(Duration.ofSeconds(1))).await();
  }

  record Request(String method, String target, String version, String head) {

    static Request parse(String head) {
      int end = head.indexOf("\r\n");
      var words = (end < 0 ? head : head.substring(0, end)).split(" ", -1);
      boolean valid = words.length == 3 && words[2].startsWith("HTTP/1.");
      return valid
          ? new Request(words[0], words[1], words[2], head)
          : new Request("", "", "", head);
    }

    /** What the first line that begins with {@code name} says, or null. */
    @Nullable String field(String name) {
      for (int end = head.indexOf("\r\n"); end >= 0; end = head.indexOf("\r\n", end + 2)) {
        int colon = end + 2 + name.length();
        if (head.startsWith(":", colon)
            && head.regionMatches(true, end + 2, name, 0, name.length())) {
          int next = head.indexOf("\r\n", colon);
          return head.substring(colon + 1, next < 0 ? head.length() : next).strip();
        }
      }
      return null;
    }

    boolean staysOpen() {
      String wish = field("connection");
      String wishes = wish == null ? "" : wish.toLowerCase(Locale.ROOT);
      return version.equals("HTTP/1.1") ? !wishes.contains("close") : wishes.contains("keep-alive");
    }
  }

  /** Answers one; whether another can follow. */
  private boolean respond(Request request, BufferedByteWriter out) throws IOException {
    boolean isGet = request.method().equals("GET");
    if (!isGet && !request.method().equals("HEAD")) { // it may have a body that nobody reads
      status(out, request.method().isEmpty() ? "400 Bad Request" : "405 Method Not Allowed");
      return false;
    }
    Path path = pathOf(request.target());
    if (path == null) {
      status(out, "404 Not Found");
      return true;
    }
    try {
      var about = FileTree.metadata(path).await();
      if (about.isDirectory()) {
        return list(path, request, out);
      }
      if (about.isRegularFile()) {
        return send(path, about.size(), request, out);
      }
      status(out, "403 Forbidden");
    } catch (FileSystemException e) { // before anything was written
      status(out, "404 Not Found");
    }
    return true;
  }

  /** Inside the root, or null. */
  private @Nullable Path pathOf(String target) {
    int query = target.indexOf('?');
    String name = query < 0 ? target : target.substring(0, query);
    try {
      if (name.indexOf('%') >= 0) {
        name = URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
      }
      int slashes = 0;
      while (name.startsWith("/", slashes)) {
        slashes++;
      }
      Path path = root.resolve(name.substring(slashes)).normalize();
      return path.startsWith(root) ? path : null;
    } catch (IllegalArgumentException e) { // no URL; or, an InvalidPathException, no path
      return null;
    }
  }

  // --- A file, or a part of one ---

  private record Range(long from, long to) {
    long length() {
      return to - from + 1;
    }

    /** Of {@code bytes=a-b}, {@code a-} or {@code -n}; all of it if it asks for something else. */
    static Range of(@Nullable String wish, long size) {
      var all = new Range(0, size - 1);
      if (wish == null || !wish.matches("bytes=(\\d{1,18}-\\d{0,18}|-\\d{1,18})")) {
        return all;
      }
      var ends = wish.substring("bytes=".length()).split("-", -1);
      if (ends[0].isEmpty()) {
        return new Range(Math.max(0, size - Long.parseLong(ends[1])), size - 1);
      }
      long to = ends[1].isEmpty() ? size - 1 : Math.min(Long.parseLong(ends[1]), size - 1);
      return new Range(Long.parseLong(ends[0]), to);
    }
  }

  static boolean send(Path path, long size, Request request, BufferedByteWriter out)
      throws IOException {
    String wish = request.field("range");
    Range range = Range.of(wish, size);
    if (wish != null && range.from() > range.to()) {
      out.writeText(
              "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\nContent-Range: bytes */"
                  + size
                  + "\r\n\r\n")
          .await();
      return true;
    }
    boolean isPart = range.length() < size;
    var head = new StringBuilder("HTTP/1.1 ").append(isPart ? "206 Partial Content" : "200 OK");
    head.append("\r\nContent-Type: ").append(typeOf(path));
    head.append("\r\nAccept-Ranges: bytes");
    if (isPart) {
      head.append("\r\nContent-Range: bytes " + range.from() + "-" + range.to() + "/" + size);
    }
    head.append("\r\nContent-Length: ");
    if (request.method().equals("HEAD")) {
      out.writeText(head.append(range.length()).append("\r\n\r\n").toString()).await();
    } else if (size <= SMALL && !isPart) { // in one go; as long as it is by now
      byte[] whole = AsyncFile.readAll(path).await();
      out.writeText(head.append(whole.length).append("\r\n\r\n").toString()).await();
      out.writeAll(ByteBuffer.wrap(whole)).await();
    } else {
      boolean begun = false;
      try (var file = AsyncFile.open(path).await()) {
        begun = true;
        out.writeText(head.append(range.length()).append("\r\n\r\n").toString()).await();
        file.position(range.from());
        // Behind the head, and not through our memory: the system sends what it has in its own.
        return Bytes.copy(file.take(range.length()), out).await() == range.length();
      } catch (FileSystemException e) {
        if (!begun) {
          throw e; // there is still time to say so
        }
        return false; // the length is promised: the connection ends short of it
      }
    }
    return true;
  }

  private static String typeOf(Path path) {
    String name = path.toString();
    return TYPES.getOrDefault(
        name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
  }

  // --- A directory: how long the list will be is not known when it begins ---

  private static boolean list(Path directory, Request request, BufferedByteWriter out)
      throws IOException {
    if (!request.target().endsWith("/")) {
      out.writeText(
              "HTTP/1.1 301 Moved Permanently\r\nContent-Length: 0\r\nLocation: "
                  + request.target()
                  + "/\r\n\r\n")
          .await();
      return true;
    }
    boolean chunked = request.version().equals("HTTP/1.1");
    out.writeText(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
                + (chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Connection: close\r\n\r\n"))
        .await();
    if (request.method().equals("GET")) {
      try (var names = FileTree.list(directory)) {
        for (Path name : names) {
          chunk(out, entry(name.getFileName().toString()), chunked);
        }
      }
      chunk(out, "", chunked); // the end
    }
    return chunked;
  }

  private static String entry(String name) {
    String link = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    String shown = name.replace("&", "&amp;").replace("<", "&lt;");
    return "<a href=\"" + link + "\">" + shown + "</a><br>\n";
  }

  private static void chunk(BufferedByteWriter out, String text, boolean chunked)
      throws IOException {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    out.writeText(chunked ? Integer.toHexString(bytes) + "\r\n" + text + "\r\n" : text).await();
  }

  private static void status(BufferedByteWriter out, String status) throws IOException {
    out.writeText(
            "HTTP/1.1 "
                + status
                + "\r\nContent-Type: text/plain\r\nContent-Length: "
                + (status.length() + 1)
                + "\r\n\r\n"
                + status
                + "\n")
        .await();
  }
}
