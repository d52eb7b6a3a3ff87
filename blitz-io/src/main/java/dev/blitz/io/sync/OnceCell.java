package dev.blitz.io.sync;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is set once, by whoever needs it first.
 *
 * {@snippet :
 * OnceCell<Pool> pool = OnceCell.create();
 * Pool now = pool.getOrInit(Pool::new).await();
 * Pool same = pool.getOrInitAsync(() -> connect(address)).await(); // an initialiser that waits
 * Pool orNull = pool.get();
 * }
 *
 * <p>One initialiser runs at a time; the others wait for it. If it throws, its own caller gets the
 * exception and the one that has waited longest tries its own initialiser; likewise if it is
 * dropped. An initialiser must not wait for the cell that it initialises: it would wait for itself.
 *
 * @param <T> the type of the value, which is never null
 */
/* Implementation notes
 *
 * The content, FROM -> TO:
 *   null           -> value            set                                       CAS
 *   null           -> Initialising     a first poll begins to initialise         CAS
 *   Initialising   -> value            its initialiser succeeds                  release
 *   Initialising   -> null             it fails or is dropped, nobody waits      release, under the lock of
 *                  Initialising
 * Who moved the content to Initialising, or was given the turn by its predecessor, is the only one who may move it on.
 * Initialising holds those who wait; see there.
 */
public final class OnceCell<T> {
  private static final VarHandle CONTENT =
      Fields.of(MethodHandles.lookup(), "content", Object.class);

  private volatile @Nullable Object content;

  private OnceCell() {}

  /** An empty cell. */
  public static <T> OnceCell<T> create() {
    return new OnceCell<>();
  }

  /** A cell with a value. */
  public static <T> OnceCell<T> of(T value) {
    var cell = new OnceCell<T>();
    cell.publish(Objects.requireNonNull(value, "value"));
    return cell;
  }

  /** The value, or null if there is none yet. */
  @SuppressWarnings("unchecked") // what is not the marker came in as a T
  public @Nullable T get() {
    Object now = content;
    return now instanceof Initialising ? null : (T) now;
  }

  /**
   * Sets the value if there is none and none is being made.
   *
   * @return whether this call was the one that did
   */
  public boolean set(T value) {
    Objects.requireNonNull(value, "value");
    return content == null && CONTENT.compareAndSet(this, null, value);
  }

  /**
   * The value; if there is none, the one that {@code initialiser} makes, which runs inside the poll
   * and must not block. Whatever it throws ends this future and leaves the cell empty.
   */
  @CheckReturnValue
  public UncheckedFuture<T> getOrInit(Supplier<? extends T> initialiser) {
    return new SyncInit<>(this, Objects.requireNonNull(initialiser, "initialiser"));
  }

  /**
   * The value; if there is none, the result of the future that {@code initialiser} makes. Whatever
   * either throws ends this future and leaves the cell empty.
   */
  @CheckReturnValue
  public Future<T> getOrInitAsync(ThrowingSupplier<? extends Future<? extends T>> initialiser) {
    return new AsyncInit<>(this, Objects.requireNonNull(initialiser, "initialiser"));
  }

  @Override
  public String toString() {
    Object now = content;
    return now == null
        ? "OnceCell[empty]"
        : now instanceof Initialising ? "OnceCell[being initialised]" : "OnceCell[" + now + "]";
  }

  // --- For initialisers ---

  /** Who initialises, or null. */
  @Nullable Initialising initialising() {
    return content instanceof Initialising now ? now : null;
  }

  boolean begin(Initialising mine) {
    return CONTENT.compareAndSet(this, null, mine);
  }

  void publish(T value) {
    CONTENT.setRelease(this, value);
  }

  void empty() {
    CONTENT.setRelease(this, null);
  }
}
