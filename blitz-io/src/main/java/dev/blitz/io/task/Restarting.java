package dev.blitz.io.task;

import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.policy.Backoff;

/** The body of a child that is called again when it fails, see {@link ScopePolicy#supervise}. */
final class Restarting<T> implements ThrowingSupplier<T> {
  private final ThrowingSupplier<? extends T> body;
  private final Backoff backoff;
  private final ScopePolicy policy;

  Restarting(ThrowingSupplier<? extends T> body, Backoff backoff, ScopePolicy policy) {
    this.body = body;
    this.backoff = backoff;
    this.policy = policy;
  }

  @Override
  public T get() throws Exception {
    return Retries.call(backoff, body, failure -> policy.tell(Task.name(), failure));
  }

  @Override
  public String toString() {
    return body.toString();
  }
}
