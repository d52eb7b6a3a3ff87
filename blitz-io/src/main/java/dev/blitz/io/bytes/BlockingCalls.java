package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskFailedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Calls that block, one after the other, on the blocking pool of the runtime whose task polls. A
 * call that nobody waits for any more goes on, and its result is there for whoever asks next.
 */
final class BlockingCalls<T> {
  private @Nullable JoinHandle<T> call;

  boolean isIdle() {
    return call == null;
  }

  void begin(ThrowingSupplier<? extends T> body) {
    call = Task.spawnBlocking(body);
  }

  /** The result of the call that was begun, which stays until {@link #end}; null while it runs. */
  @Nullable T poll(Context cx) throws IOException {
    JoinHandle<T> running = call;
    if (running == null) {
      throw new IllegalStateException("no call has begun");
    }
    try {
      return running.poll(cx);
    } catch (TaskFailedException e) {
      call = null;
      throw failure(e);
    } catch (RuntimeException e) {
      call = null; // cancelled, with its runtime
      throw e;
    }
  }

  private static IOException failure(TaskFailedException e) {
    return switch (e.getCause()) {
      case IOException io -> io;
      case RuntimeException unchecked -> throw unchecked;
      case Error error -> throw error;
      case null, default -> new IOException(e);
    };
  }

  void end() {
    call = null;
  }

  void forget() {
    JoinHandle<T> running = call;
    if (running != null) {
      running.drop();
    }
  }
}
