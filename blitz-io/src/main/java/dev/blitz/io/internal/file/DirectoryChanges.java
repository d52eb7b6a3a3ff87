package dev.blitz.io.internal.file;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.LostHandles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of what is in one directory, from when this was made. One user at a time; {@link #close}
 * may come from any thread.
 */
public interface DirectoryChanges extends LostHandles.Held {

  /** What has happened to an entry. */
  enum Kind {
    CREATED,
    MODIFIED,
    DELETED,
    LOST
  }

  /**
   * One change.
   *
   * @param name of the entry; null if some changes were lost
   */
  record Change(Kind kind, @Nullable Path name) {}

  /**
   * The next changes, in order; none if there will be no more.
   *
   * @return null if there are none yet: {@code waker} has been kept
   */
  @Nullable List<Change> poll(Waker waker) throws IOException;

  /** The waker is not woken any more. */
  void forget();
}
