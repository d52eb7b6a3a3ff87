package dev.blitz.io.process;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.services.Services;
import dev.blitz.io.task.JoinHandle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Starts processes on a thread that may block. */
/* Implementation notes
 *
 * state: WAITED_FOR -> STARTED by the thread that has started them; WAITED_FOR -> DROPPED by a drop, then that thread
 * closes the children, or starts none; STARTED -> DROPPED by a drop before the children were handed out: then the
 * drop closes them. A poll that fails is a drop.
 */
final class StartFuture implements IoFuture<List<Child>> {
  private static final int WAITED_FOR = 0;
  private static final int STARTED = 1;
  private static final int DROPPED = 2;

  /** Children, or why there are none. */
  private record Started(List<Child> children, @Nullable IOException failure) {}

  private static final Started NOBODY = new Started(List.of(), null);

  private final List<Command> commands;
  private final AtomicInteger state = new AtomicInteger();
  private @Nullable JoinHandle<Started> starting;
  private volatile @Nullable Started started;

  StartFuture(List<Command> commands) {
    this.commands = commands;
  }

  @Override
  public @Nullable List<Child> poll(Context cx) throws IOException {
    JoinHandle<Started> now = starting;
    if (now == null) {
      Services services = Services.required("a child process");
      now = services.startProcess(() -> start(services));
      starting = now;
    }
    Started result;
    try {
      result = now.poll(cx);
    } catch (Throwable t) {
      drop(); // cancelled with the runtime, perhaps while they are being started
      throw t;
    }
    if (result == null) {
      return null;
    }
    if (result.failure != null) {
      throw result.failure;
    }
    return result.children;
  }

  private Started start(Services services) {
    Started result;
    try {
      if (state.get() == DROPPED) {
        return NOBODY;
      }
      Spawning forced = commands.getFirst().way();
      Spawning way = forced == null ? Spawning.choose(services) : forced;
      result = childrenOf(way.start(services, commands.stream().map(Command::spec).toList()));
    } catch (IOException e) {
      result = new Started(List.of(), e);
    }
    started = result;
    if (!state.compareAndSet(WAITED_FOR, STARTED)) {
      closeAll(result);
    }
    return result;
  }

  private Started childrenOf(List<Running> all) {
    try {
      List<Child> children = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        children.add(new Child(all.get(i), commands.get(i).toString()));
      }
      return new Started(List.copyOf(children), null);
    } catch (Throwable t) {
      Running.undoAll(all);
      throw t;
    }
  }

  @Override
  public void drop() {
    StackRoom.forOwner();
    if (starting == null) {
      return;
    }
    if (state.getAndSet(DROPPED) == STARTED) {
      Started there = started;
      if (there != null) {
        closeAll(there);
      }
    }
    starting.drop();
  }

  private static void closeAll(Started there) {
    Child.closeAll(there.children);
  }

  @Override
  public String toString() {
    return "the start of " + commands;
  }
}
