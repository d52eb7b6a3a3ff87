package dev.blitz.io.bytes;

import static dev.blitz.io.bytes.ByteReader.EOF;
import static dev.blitz.io.bytes.ByteReader.PENDING;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * {@link Bytes#copy}, and one direction of {@link Bytes#copyBothWays}. Has the writing side of the
 * one and the reading side of the other from its first poll to its end.
 */
/* Implementation notes
 *
 * What has been read and not written lies in the buffer of `in`, whose position each write moves; nothing is counted
 * twice. `in` is the caller's own if it is buffered: then a drop leaves it there. Whenever there is nothing to read,
 * what was written is flushed before the wait: the writer may keep bytes back, and the peer may be waiting for them
 * before it sends more.
 *
 * `direct` is asked when the buffer is empty: bytes that the two streams move by themselves, in order with those that
 * go through it.
 */
final class CopyFuture extends Writes.Write<Long> {
  /** An idle proxy has two of the smaller size; a busy one goes up to the larger. */
  private static final int LEAST_BUFFER = 8 << 10;

  private static final int LARGEST_BUFFER = 64 << 10;

  private enum Step {
    COPY,
    FLUSH,
    SHUTDOWN
  }

  private final ByteReader from;
  private final ByteWriter to;
  private final boolean ends;
  private @Nullable BufferedByteReader in;
  private @Nullable Side reading;
  private @Nullable DirectInput direct;
  private Step step = Step.COPY;
  private boolean unflushed;
  private long copied;

  /** {@code ends}: whether the end of the one is passed on to the other. */
  CopyFuture(ByteReader from, ByteWriter to, boolean ends) {
    super(to);
    this.from = from;
    this.to = to;
    this.ends = ends;
  }

  @Override
  @Nullable Long attempt(Context cx) throws IOException {
    StackRoom.forCalls(); // to let go of both sides
    BufferedByteReader input = in == null ? begin() : in;
    if (step == Step.COPY) {
      if (!copy(cx, input)) {
        return null;
      }
      step = Step.FLUSH;
    }
    if (step == Step.FLUSH) {
      if (!tryFlush(cx)) {
        return null;
      }
      step = Step.SHUTDOWN;
    }
    return !ends || tryShutdown(cx) ? copied : null;
  }

  private BufferedByteReader begin() {
    BufferedByteReader input =
        from instanceof BufferedByteReader own
            ? own
            : new BufferedByteReader(new Held(from), LEAST_BUFFER, LARGEST_BUFFER);
    Side side = Reads.sideOf(from);
    if (side != null) {
      side.claim(this);
    }
    reading = side;
    direct = directInput();
    in = input;
    return input;
  }

  private @Nullable DirectInput directInput() {
    if (from instanceof DirectInput itself) {
      return itself;
    }
    if (from instanceof TakeReader some) {
      return some.directInput();
    }
    GuardedStream guarded = Reads.guardedBy(from);
    return guarded == null ? null : guarded.directInput();
  }

  /** Up to the end; false while there is something to wait for. */
  private boolean copy(Context cx, BufferedByteReader input) throws IOException {
    for (; ; ) {
      for (ByteBuffer bytes = input.buffered(); bytes.hasRemaining(); ) {
        int n = tryOnce(cx, bytes);
        if (n == PENDING) {
          return false;
        }
        copied += n;
        unflushed = true;
      }
      long moved = direct == null ? GuardedStream.BY_MEMORY : tryTransfer(cx, direct);
      if (moved == PENDING) {
        return false;
      }
      if (moved > 0) {
        copied += moved;
        unflushed = true;
        continue;
      }
      if (from instanceof TakeReader some && some.isEnded()) {
        return true; // no memory to find that out
      }
      int n = input.fill(cx, 1);
      if (n == EOF) {
        return true;
      }
      if (n == PENDING) {
        unflushed = unflushed && !tryFlush(cx);
        return false;
      }
    }
  }

  /** Also after a failure of one side: the other one may have kept a waker. */
  @Override
  void ended() {
    try {
      forget();
    } finally {
      letGoOfInput();
    }
  }

  private void letGoOfInput() {
    Side mine = reading;
    reading = null;
    try {
      if (in != null) {
        in.forgetRead();
      }
    } finally {
      if (mine != null) {
        mine.release();
      }
    }
  }

  @Override
  public String toString() {
    return "copy of " + copied + " bytes from " + from + " to " + to;
  }

  /** A reader whose side is ours: its methods without a guard. */
  private static final class Held implements ByteReader {
    private final ByteReader reader;
    private final @Nullable GuardedStream guarded;
    private final @Nullable GuardedReader above;

    Held(ByteReader reader) {
      this.reader = reader;
      this.guarded = Reads.guardedBy(reader);
      this.above = reader instanceof GuardedReader own ? own : null;
    }

    @Override
    public int pollRead(Context cx, ByteBuffer target) throws IOException {
      if (guarded != null) {
        return guarded.doRead(cx, target);
      }
      return above != null ? above.doRead(cx, target) : reader.pollRead(cx, target);
    }

    @Override
    public void forgetRead() {
      reader.forgetRead();
    }
  }
}
