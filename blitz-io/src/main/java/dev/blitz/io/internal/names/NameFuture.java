package dev.blitz.io.internal.names;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.names.HostNames.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The addresses of a host; asks in the first poll. */
public final class NameFuture implements IoFuture<List<InetAddress>> {
  private final Supplier<HostNames> names;
  private final String host;
  private @Nullable HostNames askedOf;
  private @Nullable Question question;
  private @Nullable Future<Answer> answer;
  private boolean over;

  /** {@code names} is called in the first poll. */
  public NameFuture(Supplier<HostNames> names, String host) {
    this.names = names;
    this.host = host;
  }

  @Override
  public @Nullable List<InetAddress> poll(Context cx) throws IOException {
    if (over) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    Future<Answer> pending = answer;
    if (pending == null) {
      InetAddress literal = literal(host);
      if (literal != null) {
        over = true;
        return List.of(literal);
      }
      HostNames of = names.get();
      Object reply = of.ask(host.toLowerCase(Locale.ROOT));
      if (reply instanceof Answer known) {
        over = true;
        return addresses(known);
      }
      askedOf = of;
      question = (Question) reply;
      pending = question.answer.future();
      answer = pending;
    }
    Answer result;
    try {
      result = pending.poll(cx);
    } catch (IOException | RuntimeException e) { // cancelled, as its runtime is closed
      over = true;
      throw e;
    } catch (Exception e) {
      over = true;
      throw new IOException(e);
    }
    if (result == null) {
      return null;
    }
    over = true;
    return addresses(result);
  }

  /** Each who asked has an exception of its own: it may be given causes and suppressed ones. */
  private List<InetAddress> addresses(Answer result) throws IOException {
    Throwable failure = result.failure();
    if (failure == null) {
      return result.addresses();
    }
    String message = "cannot find the addresses of " + host;
    if (failure instanceof UnknownHostException) {
      var unknown = new UnknownHostException("unknown host: " + host);
      unknown.initCause(failure);
      throw unknown;
    }
    throw new IOException(message + ": " + failure, failure);
  }

  /** The address that is written in digits, or null if it is a name. */
  private static @Nullable InetAddress literal(String host) {
    boolean digits = !host.isEmpty() && Character.digit(host.charAt(0), 10) >= 0;
    if (!digits && host.indexOf(':') < 0) {
      return null;
    }
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException name) {
      return null;
    }
  }

  @Override
  public void drop() {
    if (over || question == null || askedOf == null) {
      over = true;
      return;
    }
    over = true;
    try {
      if (answer != null) { // else there was no memory to wait for it
        answer.drop();
      }
    } finally {
      askedOf.leave(question);
    }
  }

  @Override
  public String toString() {
    return "the addresses of " + host;
  }
}
