package dev.blitz.io.internal.file;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What is looked for inside the poll; if it is not found there another future brings it. */
final class FirstLook<T> implements IoFuture<T> {
  /** What is tried first. */
  @FunctionalInterface
  interface Look<T> {
    /** Never waits; null if it is not to be had so. */
    @Nullable T take() throws IOException;
  }

  /** What follows if that was in vain. */
  @FunctionalInterface
  interface Other<T> {
    /** Begins with its first poll. */
    IoFuture<T> future();
  }

  private final Look<T> look;
  private final Other<T> other;
  private @Nullable IoFuture<T> following;
  private boolean over;

  FirstLook(Look<T> look, Other<T> other) {
    this.look = look;
    this.other = other;
  }

  @Override
  public @Nullable T poll(Context cx) throws IOException {
    if (over) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    boolean pending = false;
    try {
      IoFuture<T> now = following;
      if (now == null) {
        if (!cx.proceed()) {
          pending = true;
          return null;
        }
        StackRoom.forMany(); // what was found is handed out
        T found = look.take();
        if (found != null) {
          return found;
        }
        cx.refund(); // the other one charges too
        now = other.future();
        following = now;
      }
      T value = now.poll(cx);
      pending = value == null;
      return value;
    } finally {
      if (!pending) {
        over = true;
        following = null;
      }
    }
  }

  @Override
  public void drop() {
    over = true;
    IoFuture<T> now = following;
    if (now != null) {
      now.drop(); // one that overflows can be made again
      following = null;
    }
  }

  @Override
  public String toString() {
    return following == null ? "a file operation" : following.toString();
  }
}
