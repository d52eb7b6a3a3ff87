package dev.blitz.io.process;

import dev.blitz.io.bytes.BufferedByteReader;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.TooLongException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the last of some commands, which are started with the first line that is asked for.
 */
final class ChildLines {
  /** The longest line. */
  static final int LIMIT = 1 << 20;

  private final List<Command> commands;
  private List<Child> children = List.of();
  private @Nullable BufferedByteReader lines;

  ChildLines(List<Command> commands) {
    this.commands = commands;
  }

  /** The next line; empty at the end. */
  IoFuture<Optional<String>> next() {
    return lines != null
        ? new NextLine(lines, children)
        : new StartFuture(commands)
            .map(started -> {
              children = started;
              var reader = BufferedByteReader.of(started.getLast().stdout());
              lines = reader;
              return reader;
            })
            .andThen(reader -> new NextLine(reader, children));
  }

  /** Nobody wants more. */
  void close() {
    StackRoom.forOwner();
    Child.closeAll(children);
  }

  private static final class NextLine implements IoFuture<Optional<String>> {
    private final BufferedByteReader in;
    private final List<Child> children;
    private int looked;
    private int over;
    private @Nullable IoFuture<ExitStatus> end;

    NextLine(BufferedByteReader in, List<Child> children) {
      this.in = in;
      this.children = children;
    }

    @Override
    @SuppressWarnings("NullableOptional") // null means pending, as in every future
    public @Nullable Optional<String> poll(Context cx) throws IOException {
      if (!cx.proceed()) {
        return null;
      }
      while (true) {
        ByteBuffer there = in.buffered();
        for (; looked < there.remaining(); looked++) {
          if (there.get(there.position() + looked) == '\n') {
            return Optional.of(take(there, looked, 1));
          }
        }
        if (looked > LIMIT) {
          throw new TooLongException("a line of more than " + LIMIT + " bytes", LIMIT);
        }
        int n = in.pollFill(cx, looked + 1);
        if (n == ByteReader.PENDING) {
          cx.refund();
          return null;
        }
        if (n == ByteReader.EOF) {
          ByteBuffer last = in.buffered();
          if (last.hasRemaining()) {
            return Optional.of(take(last, last.remaining(), 0));
          }
          if (haveEnded(cx)) {
            return Optional.empty();
          }
          cx.refund();
          return null;
        }
      }
    }

    /** A program may do more after its last line, and {@link #close} would kill it. */
    private boolean haveEnded(Context cx) throws IOException {
      for (; over < children.size(); over++) {
        IoFuture<ExitStatus> now = end == null ? children.get(over).exited() : end;
        end = now;
        if (now.poll(cx) == null) {
          return false;
        }
        end = null;
      }
      return true;
    }

    private static String take(ByteBuffer from, int length, int end) {
      byte[] line = new byte[length];
      from.get(line);
      from.position(from.position() + end);
      int keep = length > 0 && end > 0 && line[length - 1] == '\r' ? length - 1 : length;
      return new String(line, 0, keep, StandardCharsets.UTF_8);
    }

    @Override
    public void drop() {
      in.forgetRead();
      IoFuture<ExitStatus> waiting = end;
      if (waiting != null) {
        waiting.drop();
        end = null;
      }
    }

    @Override
    public String toString() {
      return "a line of " + in;
    }
  }
}
