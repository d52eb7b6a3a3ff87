package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.BufferedByteReader;
import dev.blitz.io.bytes.FrameReader;
import dev.blitz.io.bytes.FrameWriter;
import dev.blitz.io.bytes.GrowingBuffer;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.channel.SendResult;
import dev.blitz.io.future.Select;
import dev.blitz.io.future.Select.First;
import dev.blitz.io.future.Select.Second;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A small Redis: strings, lists, hashes, expiry, publish and subscribe, in RESP2 and RESP3, with
 * pipelining. Commands of different clients run at the same time, each atomic for its key.
 *
 * <p>Shows: frames of one's own, a select over a socket and a channel. Run: {@code ./blitz example
 * MiniRedis 6379}, then {@code redis-cli} or {@code redis-benchmark -t
 * ping,set,get,incr,lpush,hset,lrange_100}. A second number says how many workers there are: with
 * 1, as Redis has it, a command costs least; with more, many clients share the processors.
 */
public final class MiniRedis {
  private static final int MOST_CLIENTS = 10_000;
  private static final int MOST_BEHIND = 1_024; // messages, before a subscriber is too slow
  private static final int MOST_BYTES = 64 << 20;

  /** Bytes are kept as Latin-1 strings: any byte is a character, and equals and hash are quick. */
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  private final Map<String, Set<Channel<Reply>>> topics = new ConcurrentHashMap<>();

  /** Serves until it is killed; the arguments are the port and how many workers there are. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0 && !args[0].matches("\\d{1,5}")) {
      IO.println("a port is a number, not " + args[0]);
      return;
    }
    if (args.length > 1 && !args[1].matches("\\d{1,3}")) {
      IO.println("how many workers is a number, not " + args[1]);
      return;
    }
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 6379;
    var runtime = BlitzRuntime.builder();
    if (args.length > 1) {
      runtime.workers(Integer.parseInt(args[1]));
    }
    try (var blitz = runtime.build()) {
      blitz.run(() -> {
        try (var listener = TcpListener.bind(new InetSocketAddress("localhost", port))) {
          IO.println("listening on " + listener.localAddress());
          new MiniRedis().serve(listener);
        }
      });
    }
  }

  void serve(TcpListener listener) throws IOException {
    try (var clients =
        TaskScope.open(supervise((client, e) -> IO.println(e)).and(limit(MOST_CLIENTS)))) {
      clients.spawn(() -> Task.every(Duration.ofSeconds(1), this::sweep));
      while (true) {
        var stream = clients.guard(listener.accept()).await();
        clients.spawn(owning(stream), () -> new Client(stream).serve());
      }
    }
  }

  // --- The data ---

  private sealed interface Value {}

  private record Text(String text) implements Value {}

  private record Texts(Deque<String> texts) implements Value {}

  private record Fields(Map<String, String> fields) implements Value {}

  private record Entry(Value value, long expiresAtNanos) {
    static final long NEVER = Long.MAX_VALUE;

    boolean isOver() {
      return expiresAtNanos != NEVER && System.nanoTime() - expiresAtNanos >= 0;
    }

    static long in(Duration time) {
      return System.nanoTime() + time.toNanos();
    }
  }

  private void sweep() {
    entries.values().removeIf(Entry::isOver);
  }

  private @Nullable Value find(String key) {
    Entry entry = entries.get(key);
    return entry == null || entry.isOver() ? null : entry.value();
  }

  /** One step for a key that nobody else sees the middle of; an empty result removes the key. */
  private void change(String key, Function<@Nullable Value, @Nullable Value> step) {
    entries.compute(
        key,
        (k, entry) -> {
          boolean there = entry != null && !entry.isOver();
          Value after = step.apply(there ? entry.value() : null);
          return after == null
              ? null
              : new Entry(after, there ? entry.expiresAtNanos() : Entry.NEVER);
        });
  }

  private static <V extends Value> @Nullable V as(Class<V> kind, @Nullable Value value) {
    if (value != null && !kind.isInstance(value)) {
      throw new Refused("WRONGTYPE Operation against a key holding the wrong kind of value");
    }
    return kind.cast(value);
  }

  // --- One client ---

  private final class Client {
    private final BufferedByteReader in;
    private final FrameReader<List<String>> commands;
    private final FrameWriter<Reply> replies;
    private final Channel<Reply> inbox = Channel.bounded(MOST_BEHIND);
    private final Set<String> subscribed = new HashSet<>();
    private boolean resp3;

    Client(TcpStream stream) throws IOException {
      stream.noDelay(true); // answers are gathered here already
      in = BufferedByteReader.ofCapacity(16 << 10, stream);
      commands = FrameReader.of(in, new CommandDecoder());
      replies = FrameWriter.of(stream, (reply, out) -> reply.encode(out, resp3));
    }

    void serve() throws IOException {
      try {
        while (step()) {
          if (!in.buffered().hasRemaining()) { // else answer what was sent with it, too
            replies.flush().await();
          }
        }
        replies.flush().await();
      } finally {
        subscribed.forEach(this::leave);
      }
    }

    /** Answers a command, or passes on a message; whether the client is still there. */
    private boolean step() throws IOException {
      if (subscribed.isEmpty()) {
        return answer(commands.next().await());
      }
      return switch (Select.first(commands.next(), inbox.next()).await()) {
        case First(var command) -> answer(command);
        case Second(var message) -> message.isPresent() && passOn(message.get());
      };
    }

    private boolean passOn(Reply message) throws IOException {
      replies.write(message).await();
      return true;
    }

    private boolean answer(Optional<List<String>> command) throws IOException {
      if (command.isEmpty()) {
        return false;
      }
      Reply reply;
      try {
        reply = run(command.get());
      } catch (Refused e) {
        reply = e.reply;
      } catch (NumberFormatException | ArithmeticException e) {
        reply = new Failure("ERR value is not an integer or out of range");
      } catch (IndexOutOfBoundsException e) {
        reply = new Failure("ERR wrong number of arguments");
      }
      replies.write(reply).await();
      return !command.get().getFirst().equalsIgnoreCase("QUIT");
    }

    private Reply run(List<String> a) {
      return switch (a.getFirst().toUpperCase(Locale.ROOT)) {
        case "PING" -> a.size() > 1 ? new Bulk(a.get(1)) : new Simple("PONG");
        case "GET" -> get(a.get(1));
        case "SET" -> set(a);
        case "DEL" -> new Count(a.stream().skip(1).filter(MiniRedis.this::delete).count());
        case "MGET" -> new Replies('*', a.stream().skip(1).map(MiniRedis.this::text).toList());
        case "INCR" -> increment(a.get(1));
        case "EXPIRE" -> expire(a.get(1), Duration.ofSeconds(Long.parseLong(a.get(2))));
        case "TTL" -> timeToLive(a.get(1));
        case "LPUSH" -> push(a);
        case "LRANGE" -> range(a.get(1), Integer.parseInt(a.get(2)), Integer.parseInt(a.get(3)));
        case "HSET" -> setFields(a);
        case "HGET" -> field(a.get(1), a.get(2));
        case "PUBLISH" -> new Count(publish(a.get(1), a.get(2)));
        case "SUBSCRIBE" -> subscribe(a.subList(1, a.size()));
        case "UNSUBSCRIBE" ->
            unsubscribe(a.size() > 1 ? a.subList(1, a.size()) : List.copyOf(subscribed));
        case "HELLO" -> hello(a);
        case "QUIT", "CLIENT", "SELECT" -> Simple.OK;
        case "CONFIG", "COMMAND" -> new Replies('*', List.of());
        default -> throw new Refused("ERR unknown command '" + a.getFirst() + "'");
      };
    }

    private Reply hello(List<String> a) {
      if (a.size() > 1) {
        if (!Set.of("2", "3").contains(a.get(1))) {
          throw new Refused("NOPROTO unsupported protocol version");
        }
        resp3 = a.get(1).equals("3");
      }
      return new Replies(
          '%',
          List.of(
              new Bulk("server"), new Bulk("mini-redis"),
              new Bulk("version"), new Bulk("1.0.0"),
              new Bulk("proto"), new Count(resp3 ? 3 : 2)));
    }

    private Reply subscribe(List<String> names) {
      List<Reply> confirmed = new ArrayList<>();
      for (String topic : names) {
        if (subscribed.add(topic)) {
          topics.compute(
              topic,
              (t, members) -> {
                Set<Channel<Reply>> all = members == null ? ConcurrentHashMap.newKeySet() : members;
                all.add(inbox);
                return all;
              });
        }
        confirmed.add(membership("subscribe", topic));
      }
      return new Several(confirmed);
    }

    private Reply unsubscribe(List<String> names) {
      List<Reply> confirmed = new ArrayList<>();
      for (String topic : names) {
        if (subscribed.remove(topic)) {
          leave(topic);
        }
        confirmed.add(membership("unsubscribe", topic));
      }
      return new Several(confirmed);
    }

    private Reply membership(String what, String topic) {
      return new Replies(
          '>', List.of(new Bulk(what), new Bulk(topic), new Count(subscribed.size())));
    }

    private void leave(String topic) {
      topics.computeIfPresent(
          topic,
          (t, members) -> {
            members.remove(inbox);
            return members.isEmpty() ? null : members;
          });
    }
  }

  // --- The commands ---

  private Reply get(String key) {
    Text text = as(Text.class, find(key));
    return text == null ? Nil.NIL : new Bulk(text.text());
  }

  private boolean delete(String key) {
    Entry entry = entries.remove(key);
    return entry != null && !entry.isOver();
  }

  private Reply text(String key) {
    return find(key) instanceof Text(var text) ? new Bulk(text) : Nil.NIL;
  }

  private Reply set(List<String> a) {
    long expires = Entry.NEVER;
    for (int i = 3; i < a.size(); i += 2) {
      expires =
          switch (a.get(i).toUpperCase(Locale.ROOT)) {
            case "EX" -> Entry.in(Duration.ofSeconds(Long.parseLong(a.get(i + 1))));
            case "PX" -> Entry.in(Duration.ofMillis(Long.parseLong(a.get(i + 1))));
            default -> throw new Refused("ERR syntax error");
          };
    }
    entries.put(a.get(1), new Entry(new Text(a.get(2)), expires));
    return Simple.OK;
  }

  private Reply increment(String key) {
    var sum = new long[1];
    change(
        key,
        value -> {
          Text text = as(Text.class, value);
          sum[0] = Math.addExact(text == null ? 0 : Long.parseLong(text.text()), 1);
          return new Text(Long.toString(sum[0]));
        });
    return new Count(sum[0]);
  }

  private Reply expire(String key, Duration time) {
    Entry after =
        entries.computeIfPresent(
            key, (k, e) -> e.isOver() ? null : new Entry(e.value(), Entry.in(time)));
    return new Count(after == null ? 0 : 1);
  }

  private Reply timeToLive(String key) {
    Entry entry = entries.get(key);
    if (entry == null || entry.isOver()) {
      return new Count(-2);
    }
    if (entry.expiresAtNanos() == Entry.NEVER) {
      return new Count(-1);
    }
    long left = entry.expiresAtNanos() - System.nanoTime();
    return new Count(Duration.ofNanos(left).plusMillis(500).toSeconds());
  }

  private Reply push(List<String> a) {
    String key = a.get(1);
    String first = a.get(2);
    var size = new int[1];
    change(
        key,
        value -> {
          Texts list = as(Texts.class, value);
          Texts after = list == null ? new Texts(new ArrayDeque<>()) : list;
          after.texts().addFirst(first);
          a.subList(3, a.size()).forEach(after.texts()::addFirst);
          size[0] = after.texts().size();
          return after;
        });
    return new Count(size[0]);
  }

  private Reply range(String key, int from, int to) {
    List<String> found = new ArrayList<>();
    change(
        key,
        value -> {
          Texts list = as(Texts.class, value);
          if (list != null) {
            int size = list.texts().size();
            int first = Math.max(from < 0 ? from + size : from, 0);
            int last = Math.min(to < 0 ? to + size : to, size - 1);
            var texts = list.texts().iterator();
            for (int i = 0; i <= last; i++) {
              String text = texts.next();
              if (i >= first) {
                found.add(text);
              }
            }
          }
          return list;
        });
    return new Bulks(found);
  }

  private Reply setFields(List<String> a) {
    if (a.size() < 4 || a.size() % 2 != 0) {
      throw new Refused("ERR wrong number of arguments for 'hset' command");
    }
    var added = new int[1];
    change(
        a.get(1),
        value -> {
          Fields hash = as(Fields.class, value);
          Fields after = hash == null ? new Fields(new HashMap<>()) : hash;
          for (int i = 2; i < a.size(); i += 2) {
            added[0] += after.fields().put(a.get(i), a.get(i + 1)) == null ? 1 : 0;
          }
          return after;
        });
    return new Count(added[0]);
  }

  private Reply field(String key, String name) {
    var found = new Reply[] {Nil.NIL};
    change(
        key,
        value -> {
          Fields hash = as(Fields.class, value);
          String text = hash == null ? null : hash.fields().get(name);
          found[0] = text == null ? Nil.NIL : new Bulk(text);
          return hash;
        });
    return found[0];
  }

  private int publish(String topic, String text) {
    var message = new Replies('>', List.of(new Bulk("message"), new Bulk(topic), new Bulk(text)));
    int heard = 0;
    for (var inbox : topics.getOrDefault(topic, Set.of())) {
      if (inbox.trySend(message) == SendResult.SENT) {
        heard++;
      } else {
        inbox.close(); // too slow: its client is told so by losing the connection
      }
    }
    return heard;
  }

  /** A command that cannot be answered; without a stack, since clients make mistakes. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    final transient Failure reply;

    Refused(String message) {
      super(message, null, false, false);
      reply = new Failure(message);
    }
  }

  // --- The protocol ---

  private static final class CommandDecoder implements dev.blitz.io.bytes.Decoder<List<String>> {
    @Override
    public @Nullable List<String> decode(ByteBuffer bytes) throws IOException {
      int start = bytes.position();
      List<String> command = tryDecode(bytes);
      if (command == null) {
        bytes.position(start); // not all of it has come
      }
      return command;
    }

    private static @Nullable List<String> tryDecode(ByteBuffer bytes) throws IOException {
      if (bytes.hasRemaining() && bytes.get(bytes.position()) != '*') {
        String line = line(bytes);
        return line == null ? null : List.of(line.strip().split(" +", -1)); // as typed by hand
      }
      int count = number(bytes, '*', 1024 * 1024);
      if (count < 0) {
        return null;
      }
      var command = new ArrayList<String>(Math.min(count, 64));
      for (int i = 0; i < count; i++) {
        int length = number(bytes, '$', MOST_BYTES);
        if (length < 0 || bytes.remaining() < length + 2) {
          return null;
        }
        command.add(text(bytes, length));
        bytes.position(bytes.position() + 2);
      }
      return command;
    }

    /** The number in a line that begins with {@code mark}; -1 if the line has not come. */
    private static int number(ByteBuffer bytes, char mark, int most) throws IOException {
      long number = 0;
      for (int i = bytes.position() + 1; i < bytes.limit(); i++) {
        byte b = bytes.get(i);
        if (b == '\r') {
          if (i + 1 == bytes.limit()) {
            return -1;
          }
          if (bytes.get(bytes.position()) != mark || number > most) {
            throw new IOException("Protocol error: expected '" + mark + "' and a length");
          }
          bytes.position(i + 2);
          return (int) number;
        }
        number =
            b < '0' || b > '9'
                ? Integer.MAX_VALUE
                : Math.min(number * 10 + b - '0', Integer.MAX_VALUE);
      }
      return -1;
    }

    private static @Nullable String line(ByteBuffer bytes) {
      for (int i = bytes.position(); i < bytes.limit(); i++) {
        if (bytes.get(i) == '\n') {
          return text(bytes, i + 1 - bytes.position());
        }
      }
      return null;
    }

    private static String text(ByteBuffer bytes, int length) {
      var text = new byte[length];
      bytes.get(text);
      return new String(text, ISO_8859_1);
    }

    @Override
    public int limit() {
      return 2 * MOST_BYTES;
    }
  }

  private sealed interface Reply {
    void encode(GrowingBuffer out, boolean resp3);

    static void line(GrowingBuffer out, char mark, String text) {
      out.put(mark).put(text.getBytes(ISO_8859_1)).put('\r').put('\n');
    }

    static void line(GrowingBuffer out, char mark, long number) {
      if (number >= 0 && number < 10) { // most lengths: no text of it is made
        out.put(mark).put('0' + (int) number).put('\r').put('\n');
      } else {
        line(out, mark, Long.toString(number));
      }
    }

    static void bulk(GrowingBuffer out, String text) {
      line(out, '$', text.length());
      out.put(text.getBytes(ISO_8859_1)).put('\r').put('\n');
    }
  }

  private record Simple(String text) implements Reply {
    static final Simple OK = new Simple("OK");

    @Override
    public void encode(GrowingBuffer out, boolean resp3) {
      Reply.line(out, '+', text);
    }
  }

  private record Failure(String text) implements Reply {
    @Override
    public void encode(GrowingBuffer out, boolean resp3) {
      Reply.line(out, '-', text);
    }
  }

  private record Count(long value) implements Reply {
    @Override
    public void encode(GrowingBuffer out, boolean resp3) {
      Reply.line(out, ':', value);
    }
  }

  private record Bulk(String text) implements Reply {
    @Override
    public void encode(GrowingBuffer out, boolean resp3) {
      Reply.bulk(out, text);
    }
  }

  /** Many texts: each goes from the list to the bytes, with nothing made in between. */
  private record Bulks(List<String> texts) implements Reply {
    @Override
    public void encode(GrowingBuffer out, boolean resp3) {
      Reply.line(out, '*', texts.size());
      for (String text : texts) {
        Reply.bulk(out, text);
      }
    }
  }

  private enum Nil implements Reply {
    NIL;

    @Override
    public void encode(GrowingBuffer out, boolean resp3) {
      Reply.line(out, resp3 ? '_' : '$', resp3 ? "" : "-1");
    }
  }

  /** An array {@code *}; and, of RESP3, a map {@code %} or what nobody has asked for {@code >}. */
  private record Replies(char mark, List<? extends Reply> parts) implements Reply {
    @Override
    public void encode(GrowingBuffer out, boolean resp3) {
      int size = resp3 && mark == '%' ? parts.size() / 2 : parts.size();
      Reply.line(out, resp3 ? mark : '*', size);
      for (Reply part : parts) {
        part.encode(out, resp3);
      }
    }
  }

  /** One behind the other. */
  private record Several(List<Reply> parts) implements Reply {
    @Override
    public void encode(GrowingBuffer out, boolean resp3) {
      parts.forEach(part -> part.encode(out, resp3));
    }
  }
}
