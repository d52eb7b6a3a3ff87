package dev.blitz.io.internal.names;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.policy.NameLookup;
import dev.blitz.io.task.JoinHandle;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The host names of a runtime. Whoever asks for a name that is being looked up waits for that
 * answer; answers, also that there is no such host, are kept for fixed times. Thread safe.
 */
/* Implementation notes
 *
 * Ownership   lock guards both maps and every Question's waiters, call and abandoned.
 * Protocol    ask: a kept answer, or a Question with one more waiter; who made it starts its call.
 *             end: the call takes its Question out of the map, keeps the answer, then tells the waiters.
 *             leave: the last waiter takes the Question out of the map and cancels its call, so that names which
 *             nobody wants any more do not fill the threads. If the call has not been started yet (its starter is
 *             between ask and start), the starter does it.
 * Progress    the lock is held for a few steps of a map; nothing foreign is called under it.
 */
public final class HostNames {
  /** Answers that are kept; the oldest one goes. More takes memory, fewer ask again sooner. */
  private static final int KEPT = 1024;

  /** Runs a call on a thread for names; {@code owned} is closed when it ends or never begins. */
  @FunctionalInterface
  public interface Threads {
    JoinHandle<Done> submit(ThrowingSupplier<Done> call, AutoCloseable owned);
  }

  /** What is known of a name: addresses, or why there are none. */
  record Answer(List<InetAddress> addresses, @Nullable Throwable failure, long untilNanos) {}

  private final NameLookup lookup;
  private final long knownNanos;
  private final long unknownNanos;
  private final LongSupplier nowNanos;
  private final Threads threads;

  private final PinnedLock lock = new PinnedLock();
  private final Map<String, Question> asked = new HashMap<>();
  private final Map<String, Answer> kept = new LinkedHashMap<>();

  /** {@code nowNanos}: the runtime's clock. */
  public HostNames(NameSettings settings, LongSupplier nowNanos, Threads threads) {
    this.lookup = settings.lookup();
    this.knownNanos = nanos(settings.known());
    this.unknownNanos = nanos(settings.unknown());
    this.nowNanos = nowNanos;
    this.threads = threads;
  }

  private static long nanos(Duration d) {
    return d.compareTo(Duration.ofDays(36_500)) > 0 ? Long.MAX_VALUE / 2 : d.toNanos();
  }

  NameLookup lookup() {
    return lookup;
  }

  /**
   * A kept answer, or a question that the caller waits for now: it must leave it, or see its end.
   */
  Object ask(String host) {
    StackRoom.forMany(); // a question that is known gets its call, or is taken back
    var fresh = new Question(this, host);
    Question question;
    long now = nowNanos.getAsLong();
    lock.lock();
    try {
      Answer answer = kept.get(host);
      if (answer != null) {
        if (answer.untilNanos - now > 0) {
          return answer;
        }
        kept.remove(host);
      }
      Question before = asked.putIfAbsent(host, fresh);
      question = before == null ? fresh : before;
      question.waiters++;
    } finally {
      lock.unlock();
    }
    if (question == fresh) {
      start(fresh);
    }
    return question;
  }

  private void start(Question question) {
    JoinHandle<Done> call;
    try {
      call = threads.submit(question, question);
    } catch (Throwable t) { // nobody else would end it, and all who ask later would wait for it
      question.close();
      throw t;
    }
    boolean abandoned;
    lock.lock();
    try {
      question.call = call;
      abandoned = question.abandoned;
    } finally {
      lock.unlock();
    }
    if (abandoned) {
      call.cancel();
    }
  }

  /** One who waits does so no more. */
  void leave(Question question) {
    JoinHandle<Done> call;
    lock.lock();
    try {
      if (--question.waiters > 0) {
        return;
      }
      asked.remove(question.host, question);
      question.abandoned = true;
      call = question.call;
    } finally {
      lock.unlock();
    }
    if (call != null) {
      call.cancel();
    }
  }

  /** The answer has come, or never will: {@code answer} is null then. */
  void end(Question question, @Nullable Answer answer) {
    lock.lock();
    try {
      asked.remove(question.host, question);
      if (answer != null && answer.untilNanos != 0 && !question.abandoned) {
        kept.remove(question.host); // the newest is last
        kept.put(question.host, answer);
        if (kept.size() > KEPT) {
          var oldest = kept.entrySet().iterator();
          oldest.next();
          oldest.remove();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  Answer found(List<InetAddress> addresses) {
    return new Answer(addresses, null, until(knownNanos));
  }

  Answer failed(Throwable failure) {
    long keep = failure instanceof UnknownHostException ? unknownNanos : 0;
    return new Answer(List.of(), failure, until(keep));
  }

  /** When to forget an answer; 0 for at once. */
  private long until(long nanos) {
    long until = nowNanos.getAsLong() + nanos;
    return nanos == 0 ? 0 : until == 0 ? 1 : until;
  }
}
