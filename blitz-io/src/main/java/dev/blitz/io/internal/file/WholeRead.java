package dev.blitz.io.internal.file;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** All bytes of a file: inside the poll if they are in memory, else by a visit to the lane. */
final class WholeRead implements IoFuture<byte[]> {
  /** What is tried first. */
  @FunctionalInterface
  interface Attempt {
    /** Never waits. */
    QuickReads.Found make();
  }

  /** What follows if that did not do. */
  @FunctionalInterface
  interface Visit {
    /** The call; of what the attempt has opened, if anything. */
    IoFuture<byte[]> of(@Nullable HeldPipe pipe);
  }

  private final Attempt attempt;
  private final Visit visit;
  private @Nullable HeldPipe pipe;
  private @Nullable IoFuture<byte[]> visiting;
  private boolean over;

  WholeRead(Attempt attempt, Visit visit) {
    this.attempt = attempt;
    this.visit = visit;
  }

  @Override
  public byte @Nullable [] poll(Context cx) throws IOException {
    if (over) {
      throw new IllegalStateException("a file was already read; make a new future");
    }
    IoFuture<byte[]> now = visiting;
    boolean ends = true;
    try {
      if (now == null) {
        if (!cx.proceed()) {
          ends = false;
          return null;
        }
        QuickReads.Found found = attempt.make();
        if (found.bytes() != null) {
          return found.bytes();
        }
        cx.refund(); // the visit charges too
        pipe = found.pipe();
        now = visit.of(pipe);
        visiting = now;
      }
      byte[] bytes = now.poll(cx);
      ends = bytes != null;
      return bytes;
    } finally {
      if (ends) {
        drop();
      }
    }
  }

  @Override
  public void drop() {
    over = true;
    IoFuture<byte[]> now = visiting;
    if (now != null) {
      now.drop(); // one that overflows can be made again
      visiting = null;
    }
    HeldPipe held = pipe;
    if (held != null) {
      held.close();
      pipe = null;
    }
  }

  @Override
  public String toString() {
    return visiting == null ? "the read of a file" : visiting.toString();
  }
}
