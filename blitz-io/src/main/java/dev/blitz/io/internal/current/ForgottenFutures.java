package dev.blitz.io.internal.current;

import dev.blitz.io.internal.base.Development;
import dev.blitz.io.internal.base.Frames;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Futures that somebody has made and not polled, in a runtime in development: mostly an await() is
 * missing. Told as failures that nobody has joined are, once for each line of the user's.
 */
/* Implementation notes
 *
 * sites: the lines with a future that is being watched, or has been told. So at most one future of each line is watched
 * at a time, whatever is made there, and a line that has been told is never watched again.
 */
public final class ForgottenFutures {
  private final UnjoinedFailures notes;
  private final Set<String> sites = ConcurrentHashMap.newKeySet();

  ForgottenFutures(UnjoinedFailures notes) {
    this.notes = notes;
    Development.begin();
  }

  /** Where the caller's runtime keeps them; null if it does not look. */
  public static @Nullable ForgottenFutures here() {
    if (!Development.isOn()) {
      return null;
    }
    Home home = Current.home();
    return home == null ? null : home.forgotten();
  }

  /** The runtime is closed. */
  void close() {
    Development.end();
  }

  /** A future that is watched: told unless it is forgotten. */
  public final class Note {
    private final String site;
    private final TaskFailure failure;

    private Note(String site, TaskFailure failure) {
      this.site = site;
      this.failure = failure;
    }

    /** It has been polled or dropped. */
    public void seen() {
      if (failure.claim()) {
        notes.forget(failure);
        sites.remove(site);
      }
    }
  }

  /**
   * Watches a future of the line of the user's that is calling.
   *
   * @param future whose unreachability is waited for
   * @param text what it is
   * @return null if another one of that line is watched or was told
   */
  public @Nullable Note watch(Object future, String text) {
    String site = StackWalker.getInstance().walk(Frames::firstOfUser);
    if (!sites.add(site)) {
      return null;
    }
    var cause =
        new IllegalStateException(text + " was made here and never polled: is an await() missing?");
    cause.setStackTrace(Frames.fromUser(cause.getStackTrace()));
    TaskFailure failure = TaskFailure.of(cause);
    notes.add(future, "a future that nobody awaited, made at " + site, failure);
    return new Note(site, failure);
  }
}
