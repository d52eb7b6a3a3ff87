package dev.blitz.io.bytes;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames, each as a whole.
 *
 * {@snippet :
 * var out = Lines.codec().writer(stream);
 * out.write("EHLO example.org").await();
 * out.write("QUIT").await();
 * out.flush().await(); // or send(...), which is both
 * }
 *
 * <p>A frame is encoded as a whole, or, if its future is dropped before, not at all; a frame that
 * was encoded and not sent when a future is dropped goes out with the next flush. Frames wait here
 * until {@code flush}, {@code send} or {@code shutdown}, or until there are 8 KB of them: so at
 * most that and one frame is kept. There can be one operation at a time.
 *
 * @param <F> what is encoded
 */
public final class FrameWriter<F> {
  private final FrameOutput out;
  private final Encoder<? super F> encoder;

  private FrameWriter(FrameOutput out, Encoder<? super F> encoder) {
    this.out = out;
    this.encoder = encoder;
  }

  /** Writes frames to {@code to} as {@code encoder} says. */
  public static <F> FrameWriter<F> of(ByteWriter to, Encoder<? super F> encoder) {
    return new FrameWriter<>(
        new FrameOutput(Objects.requireNonNull(to, "to")),
        Objects.requireNonNull(encoder, "encoder"));
  }

  // --- The poll tier ---

  /**
   * Takes a frame.
   *
   * @return whether it was taken; if not, the waker has been kept
   */
  public boolean pollWrite(Context cx, F frame) throws IOException {
    out.writing.claim(cx);
    try {
      return take(cx, frame);
    } finally {
      out.writing.release();
    }
  }

  private boolean take(Context cx, F frame) throws IOException {
    if (!cx.proceed()) {
      return false;
    }
    if (!out.hasRoom(cx)) {
      cx.refund();
      return false;
    }
    out.append(frame, encoder);
    return true;
  }

  /** As {@link ByteWriter#pollFlush}. */
  public boolean pollFlush(Context cx) throws IOException {
    return out.pollFlush(cx);
  }

  /** As {@link ByteWriter#pollShutdown}. */
  public boolean pollShutdown(Context cx) throws IOException {
    return out.pollShutdown(cx);
  }

  /** As {@link ByteWriter#forgetWrite}. */
  public void forgetWrite() {
    out.forgetWrite();
  }

  // --- Futures ---

  /** Takes a frame, which goes out with the next flush at the latest. */
  @CheckReturnValue
  public IoFuture<Done> write(F frame) {
    return new Take<>(this, Objects.requireNonNull(frame, "frame"), false);
  }

  /** Takes a frame and flushes. */
  @CheckReturnValue
  public IoFuture<Done> send(F frame) {
    return new Take<>(this, Objects.requireNonNull(frame, "frame"), true);
  }

  /** Sends all that was written. */
  @CheckReturnValue
  public IoFuture<Done> flush() {
    return out.flush();
  }

  /** Sends all that was written and tells the peer that nothing more comes. */
  @CheckReturnValue
  public IoFuture<Done> shutdown() {
    return out.shutdown();
  }

  private static final class Take<F> extends Writes.Write<Done> {
    private final FrameWriter<F> frames;
    private final F frame;
    private final boolean flushes;
    private boolean taken;

    Take(FrameWriter<F> frames, F frame, boolean flushes) {
      super(frames.out);
      this.frames = frames;
      this.frame = frame;
      this.flushes = flushes;
    }

    @Override
    @Nullable Done attempt(Context cx) throws IOException {
      taken = taken || frames.take(cx, frame);
      return taken && (!flushes || tryFlush(cx)) ? Done.DONE : null;
    }
  }

  @Override
  public String toString() {
    return "frames to " + out;
  }
}
