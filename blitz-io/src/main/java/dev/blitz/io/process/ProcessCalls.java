package dev.blitz.io.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Calls that start processes, wait for them and send them signals. Those of {@code posix_spawn}
 * answer errno, or 0; the others, which take memory for errno, what the kernel does, or {@code
 * -errno}. None takes memory of its own.
 */
final class ProcessCalls {
  private ProcessCalls() {}

  private static final MethodHandle SPAWN =
      plain("posix_spawn", ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
  private static final MethodHandle ACTIONS_INIT = plain("posix_spawn_file_actions_init", ADDRESS);
  private static final MethodHandle ACTIONS_DESTROY =
      plain("posix_spawn_file_actions_destroy", ADDRESS);
  private static final MethodHandle ADD_DUP2 =
      plain("posix_spawn_file_actions_adddup2", ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle ATTRIBUTES_INIT = plain("posix_spawnattr_init", ADDRESS);
  private static final MethodHandle ATTRIBUTES_DESTROY = plain("posix_spawnattr_destroy", ADDRESS);
  private static final MethodHandle SET_FLAGS =
      plain("posix_spawnattr_setflags", ADDRESS, JAVA_SHORT);
  private static final MethodHandle SET_GROUP =
      plain("posix_spawnattr_setpgroup", ADDRESS, JAVA_INT);
  private static final MethodHandle SET_MASK =
      plain("posix_spawnattr_setsigmask", ADDRESS, ADDRESS);
  private static final MethodHandle SET_DEFAULTS =
      plain("posix_spawnattr_setsigdefault", ADDRESS, ADDRESS);
  private static final MethodHandle FILL = plain("sigfillset", ADDRESS);
  private static final MethodHandle WAIT =
      LibcCalls.intCall("waitid", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle KILL = LibcCalls.intCall("kill", JAVA_INT, JAVA_INT);
  private static final MethodHandle OPEN_PROCESS = LibcCalls.systemCall(JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SIGNAL_PROCESS =
      LibcCalls.systemCall(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle POLL = LibcCalls.intCall("poll", ADDRESS, JAVA_LONG, JAVA_INT);

  /** Null where the C library does not have them: glibc before 2.34 and 2.29. */
  private static final @Nullable MethodHandle ADD_CLOSE_FROM =
      plainIfThere("posix_spawn_file_actions_addclosefrom_np", ADDRESS, JAVA_INT);

  private static final @Nullable MethodHandle ADD_DIRECTORY =
      plainIfThere("posix_spawn_file_actions_addchdir_np", ADDRESS, ADDRESS);

  private static MethodHandle plain(String name, MemoryLayout... parameters) {
    return LibcCalls.plain(name, FunctionDescriptor.of(JAVA_INT, parameters));
  }

  private static @Nullable MethodHandle plainIfThere(String name, MemoryLayout... parameters) {
    return LibcCalls.has(name) ? plain(name, parameters) : null;
  }

  /** Whether a child can be given no descriptors but its own, and a directory. */
  static boolean canSpawn() {
    return ADD_CLOSE_FROM != null && ADD_DIRECTORY != null;
  }

  static int initActions(MemorySegment actions) {
    return call(ACTIONS_INIT, actions);
  }

  static void destroyActions(MemorySegment actions) {
    call(ACTIONS_DESTROY, actions);
  }

  static int initAttributes(MemorySegment attributes) {
    return call(ATTRIBUTES_INIT, attributes);
  }

  static void destroyAttributes(MemorySegment attributes) {
    call(ATTRIBUTES_DESTROY, attributes);
  }

  static void fillSignals(MemorySegment set) {
    call(FILL, set);
  }

  private static int call(MethodHandle function, MemorySegment memory) {
    try {
      return (int) function.invokeExact(memory);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** The child has our {@code from} as its {@code to}. */
  static int addDuplicate(MemorySegment actions, int from, int to) {
    try {
      return (int) ADD_DUP2.invokeExact(actions, from, to);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** The child has nothing from {@code first} on; only if {@link #canSpawn}. */
  static int addCloseFrom(MemorySegment actions, int first) {
    try {
      return (int) required(ADD_CLOSE_FROM).invokeExact(actions, first);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** The child is in this directory; only if {@link #canSpawn}. */
  static int addDirectory(MemorySegment actions, MemorySegment path) {
    try {
      return (int) required(ADD_DIRECTORY).invokeExact(actions, path);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  private static MethodHandle required(@Nullable MethodHandle function) {
    if (function == null) {
      throw new IllegalStateException("the C library does not have it");
    }
    return function;
  }

  static int setFlags(MemorySegment attributes, short flags) {
    try {
      return (int) SET_FLAGS.invokeExact(attributes, flags);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  static int setGroup(MemorySegment attributes, int group) {
    try {
      return (int) SET_GROUP.invokeExact(attributes, group);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  static int setSignals(MemorySegment attributes, MemorySegment blocked, MemorySegment defaults) {
    try {
      int r = (int) SET_MASK.invokeExact(attributes, blocked);
      return r != 0 ? r : (int) SET_DEFAULTS.invokeExact(attributes, defaults);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Waits until the child has called exec; its number goes into {@code pid}. */
  static int spawn(
      MemorySegment pid,
      MemorySegment path,
      MemorySegment actions,
      MemorySegment attributes,
      MemorySegment arguments,
      MemorySegment environment) {
    try {
      return (int) SPAWN.invokeExact(pid, path, actions, attributes, arguments, environment);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** A descriptor of a child that nobody has waited for; programs do not inherit it. */
  static int openProcess(MemorySegment errno, int pid) {
    try {
      long fd = (long) OPEN_PROCESS.invokeExact(errno, ProcessAbi.PIDFD_OPEN, (long) pid, 0L);
      return fd >= 0 ? (int) fd : LibcCalls.failure(errno);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  static int signalProcess(MemorySegment errno, int pidfd, int signal) {
    try {
      long r =
          (long)
              SIGNAL_PROCESS.invokeExact(
                  errno, ProcessAbi.PIDFD_SEND_SIGNAL, (long) pidfd, (long) signal, 0L, 0L);
      return r >= 0 ? 0 : LibcCalls.failure(errno);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** {@code target}: a process, or minus a group. */
  static int kill(MemorySegment errno, int target, int signal) {
    try {
      int r = (int) KILL.invokeExact(errno, target, signal);
      return r >= 0 ? 0 : LibcCalls.failure(errno);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** {@code siginfo}: all zero before. */
  static int await(MemorySegment errno, int kind, int id, MemorySegment siginfo, int options) {
    try {
      int r;
      do {
        r = (int) WAIT.invokeExact(errno, kind, id, siginfo, options);
        if (r < 0) {
          r = LibcCalls.failure(errno);
        }
      } while (r == -Errno.EINTR);
      return r;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /**
   * Waits until one of {@code count} descriptors is readable; an interrupt of the system ends it.
   */
  static int poll(MemorySegment errno, MemorySegment polls, int count, int millis) {
    try {
      int r = (int) POLL.invokeExact(errno, polls, (long) count, millis);
      return r >= 0 ? r : LibcCalls.failure(errno);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }
}
