package dev.blitz.io.bytes;

import static dev.blitz.io.bytes.ByteReader.EOF;
import static dev.blitz.io.bytes.ByteReader.PENDING;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.wait.WakerSlot;
import dev.blitz.io.stream.IoSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a stream: lines, messages, whatever a {@link Decoder} finds in it. A {@linkplain
 * IoSource source}: a loop, or a row of operators.
 *
 * {@snippet :
 * for (String line : Lines.of(stream)) { // waits for each; ends with the stream
 *   handle(line);
 * }
 * }
 *
 * <p>A frame is read as a whole: a read that is dropped has taken nothing. A frame that is too long
 * or malformed is an {@code IOException}, which does not end the source: where the end of the frame
 * can be found the next read goes on behind it, otherwise all further reads are refused.
 *
 * <p>There can be one read at a time. Frames that are read through a {@link BufferedByteReader}
 * take no byte beyond their end from it: a protocol can go on there with something else.
 *
 * @param <F> what a frame is decoded to
 */
/* Implementation notes
 *
 * The position of the buffered bytes is all that says what was used; the decoder moves it. `seen` is how many bytes
 * from there on the decoder has had in vain, `from` where in the stream that was: it is not asked again before there
 * are more, and told if somebody else has taken them.
 *
 * closed: written (volatile) by whoever closes, before it wakes `waiting`; a poll that waits sets its waker there and
 * then looks at `closed` again, so one of the two sees the other. All else belongs to whoever has the reading side.
 */
public final class FrameReader<F> implements IoSource<F> {
  private static final int NOTHING = -1;

  private final BufferedByteReader in;
  private final Decoder<F> decoder;
  private int seen = NOTHING;
  private long from;
  private @Nullable IOException broken;
  private boolean ended;
  private volatile boolean closed;
  private final WakerSlot waiting = new WakerSlot();

  private FrameReader(BufferedByteReader in, Decoder<F> decoder) {
    this.in = in;
    this.decoder = decoder;
  }

  /** The frames that {@code decoder} finds in what {@code from} reads. */
  public static <F> FrameReader<F> of(ByteReader from, Decoder<F> decoder) {
    return new FrameReader<>(
        BufferedByteReader.of(from), Objects.requireNonNull(decoder, "decoder"));
  }

  // --- The poll tier ---

  /**
   * The next frame. For hand-written futures: no object but the frame. Charges the budget of {@code
   * cx}.
   *
   * @return the frame; null if the stream {@linkplain #hasEnded has ended}, or else is pending:
   *     then the waker of {@code cx} will be woken, unless {@link #forgetNext} comes before
   */
  @Override
  public @Nullable F pollNext(Context cx) throws IOException {
    in.reading.claim(cx);
    try {
      return poll(cx);
    } finally {
      in.reading.release();
    }
  }

  @Override
  public boolean hasEnded() {
    return ended || closed;
  }

  @Override
  public void forgetNext() {
    waiting.clear();
    in.forgetRead();
  }

  private @Nullable F poll(Context cx) throws IOException {
    if (closed || !cx.proceed()) {
      return null;
    }
    F frame;
    try {
      frame = find(cx);
    } catch (ClosedChannelException e) {
      if (closed) {
        return null; // by us, in the middle of it
      }
      throw e;
    }
    if (frame == null && !ended) {
      cx.refund();
      waiting.set(cx.waker());
      if (closed) {
        forgetNext();
      }
    }
    return frame;
  }

  private @Nullable F find(Context cx) throws IOException {
    if (broken != null) {
      throw new IOException("no frame can be found after the failure before: " + broken, broken);
    }
    boolean last = false;
    while (!ended) {
      if (last || hasUnseen()) {
        int before = in.buffered().position();
        F frame = decode(last);
        if (frame != null) {
          return frame;
        }
        if (in.buffered().position() != before) {
          seen = NOTHING; // the decoder has skipped something
          continue;
        }
        if (last) {
          ended = true;
          return null;
        }
        note();
      }
      int n = in.fill(cx, in.buffered().remaining() + 1);
      if (n == PENDING) {
        return null;
      }
      last = n == EOF;
    }
    return null;
  }

  /** Whether the decoder has not seen all that is there. */
  private boolean hasUnseen() {
    if (seen != NOTHING && in.consumed() != from) {
      decoder.restart();
      seen = NOTHING;
    }
    return in.buffered().remaining() > Math.max(seen, 0);
  }

  private void note() throws IOException {
    int remaining = in.buffered().remaining();
    if (remaining > decoder.limit()) {
      throw refusing(
          new TooLongException(
              remaining + " bytes are no frame yet, and the limit is " + decoder.limit(),
              decoder.limit()));
    }
    from = in.consumed();
    seen = remaining;
  }

  private IOException refusing(IOException e) {
    broken = e;
    return e;
  }

  private @Nullable F decode(boolean last) throws IOException {
    ByteBuffer bytes = in.buffered();
    int before = bytes.position();
    F frame;
    try {
      frame = last ? decoder.decodeLast(bytes) : decoder.decode(bytes);
    } catch (IOException e) {
      seen = NOTHING;
      throw bytes.position() == before ? refusing(e) : e;
    } catch (Throwable t) {
      bytes.position(before);
      throw t;
    }
    if (frame != null) {
      seen = NOTHING;
      if (bytes.position() == before) {
        throw new IllegalStateException(decoder + " has made a frame of no bytes");
      }
    }
    return frame;
  }

  // --- Futures ---

  /** The next frame; empty if the stream has ended. A drop loses nothing. */
  @Override
  @CheckReturnValue
  public IoFuture<Optional<F>> next() {
    return new Next<>(this);
  }

  private static final class Next<F> extends Reads.Read<Optional<F>> {
    private final FrameReader<F> frames;

    Next(FrameReader<F> frames) {
      super(frames.in);
      this.frames = frames;
    }

    @Override
    @SuppressWarnings("NullableOptional") // null is what a pending future yields
    @Nullable Optional<F> attempt(Context cx) throws IOException {
      F frame = frames.poll(cx);
      if (frame == null) {
        return frames.hasEnded() ? Optional.empty() : null;
      }
      return Optional.of(frame);
    }

    @Override
    void ended() {
      frames.waiting.clear();
    }

    @Override
    public String toString() {
      return "a frame from " + frames.in;
    }
  }

  /** Ends the source, and closes what is read from, if it can be closed. */
  @Override
  public void close() {
    closed = true;
    try {
      in.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      waiting.wake();
    }
  }

  @Override
  public String toString() {
    return "frames of " + in;
  }
}
