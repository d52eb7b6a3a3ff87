package dev.blitz.io.internal.names;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Promise;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.names.HostNames.Answer;
import dev.blitz.io.task.JoinHandle;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A name that is being looked up, the call that does so, and those who wait for its answer. */
final class Question implements ThrowingSupplier<Done>, AutoCloseable {
  private final HostNames names;
  final String host;
  final Promise<Answer> answer = Promise.create("a look-up of a host name");

  // Guarded by the lock of HostNames.
  int waiters;
  boolean abandoned;
  @Nullable JoinHandle<Done> call;

  Question(HostNames names, String host) {
    this.names = names;
    this.host = host;
  }

  /** The call itself. */
  @Override
  public Done get() {
    Answer result;
    try {
      List<InetAddress> found = List.copyOf(names.lookup().lookUp(host));
      if (found.isEmpty()) {
        throw new UnknownHostException(host);
      }
      result = names.found(found);
    } catch (Throwable failure) {
      result = names.failed(failure);
    }
    try {
      names.end(this, result);
    } finally {
      answer.complete(result);
    }
    return Done.DONE;
  }

  /** The call has ended, or never begins: nobody may wait for it any longer. */
  @Override
  public void close() {
    try {
      names.end(this, null);
    } finally {
      answer.close();
    }
  }
}
