package dev.blitz.io.stream;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.wait.WakerSlot;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The subscriber behind a source: asks for as many items as it has room for, and for more when half
 * of them have been taken.
 */
/* Implementation notes
 *
 * Ownership. `tail` is the publisher's, whose signals come one after the other; `head`, `taken` and `ended` are the
 * owner's of the source.
 *
 * Orderings
 *   word          | writer                          | reader            | mode              | pairs with
 *   ring          | onNext fills, poll empties      | both              | release, acquire  | what was done before the signal
 *   end           | the last signal                 | poll              | volatile          | read before the ring: what is not there then
 *                 |                                 |                   |                   | will not come
 *   waker         | poll, and then looks again      | after each signal | volatile          | see WakerSlot
 *   subscription  | onSubscribe, cancel             | poll, cancel      | CAS, getAndSet    | one of the two cancels
 */
class Inbox<T> extends WakerSlot implements Flow.Subscriber<T> {
  private static final Object COMPLETE = "complete";

  /** What is in place of a subscription after the end, or a cancel. */
  private enum Over implements Flow.Subscription {
    OVER;

    @Override
    public void request(long n) {}

    @Override
    public void cancel() {}
  }

  private final AtomicReferenceArray<@Nullable T> ring;
  private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();
  private volatile @Nullable Object end;
  private int head;
  private int tail;
  private int taken;
  private boolean ended;

  Inbox(int room) {
    ring = new AtomicReferenceArray<>(room);
  }

  // --- The publisher's side ---

  @Override
  public void onSubscribe(Flow.Subscription given) {
    Objects.requireNonNull(given, "subscription");
    if (subscription.compareAndSet(null, given)) {
      given.request(ring.length());
    } else {
      given.cancel();
    }
  }

  @Override
  public void onNext(T item) {
    Objects.requireNonNull(item, "item");
    if (end != null) {
      return;
    }
    int at = tail;
    if (ring.getAcquire(at) != null) {
      fail(new IllegalStateException("a publisher sent more than it was asked for"));
      return;
    }
    ring.setRelease(at, item);
    tail = at + 1 == ring.length() ? 0 : at + 1;
    wake();
  }

  @Override
  public void onError(Throwable failure) {
    Objects.requireNonNull(failure, "failure");
    end(failure);
  }

  @Override
  public void onComplete() {
    end(COMPLETE);
  }

  private void fail(Exception failure) {
    cancelSubscription();
    end(failure);
  }

  private void end(Object how) {
    if (end == null) {
      end = how;
      wake();
    }
  }

  // --- The source's side ---

  /** The next item, or null; then {@link #hasEnded} tells, or {@code waker} will be woken. */
  @Nullable T poll(Waker waker) throws Exception {
    T item = take();
    if (item == null) {
      set(waker);
      item = take();
    }
    if (item != null) {
      clear();
      askForMore();
    }
    return item;
  }

  private @Nullable T take() throws Exception {
    Object how = end; // before the look
    T item = ring.getAcquire(head);
    if (item != null) {
      ring.setRelease(head, null);
      head = head + 1 == ring.length() ? 0 : head + 1;
      return item;
    }
    if (how != null) {
      ended = true;
      switch (how) {
        case Error e -> throw e;
        case Exception e -> throw e;
        case Throwable t -> throw Telling.unchecked(t);
        default -> {}
      }
    }
    return null;
  }

  private void askForMore() {
    taken++;
    if (taken >= (ring.length() + 1) / 2) {
      int more = taken;
      taken = 0;
      Flow.Subscription now = subscription.get();
      if (now != null) {
        now.request(more);
      }
    }
  }

  boolean hasEnded() {
    return ended;
  }

  void forget() {
    clear();
  }

  /** Wants no more. What was not taken is let go of. */
  void cancel() {
    clear();
    if (end == null) {
      cancelSubscription();
    }
    for (int i = 0; i < ring.length(); i++) {
      ring.setOpaque(i, null);
    }
  }

  private void cancelSubscription() {
    Flow.Subscription before = subscription.getAndSet(Over.OVER);
    if (before != null) {
      before.cancel();
    }
  }
}
