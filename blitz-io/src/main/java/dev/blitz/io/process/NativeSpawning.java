package dev.blitz.io.process;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import dev.blitz.io.internal.services.Services;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** By {@code posix_spawn}, with pipes and ends that the driver waits for. Linux. */
/* Implementation notes
 *
 * docs/design/processes.md has the protocol. Descriptors of one start are in a `SpawnPlan`, which closes those that
 * the child has got, and on a failure all.
 */
final class NativeSpawning implements Spawning {
  private static final int STANDARD = 3;
  private static final int CREATE_MODE = 0666;
  private static final int O_CREAT = 0x40;
  private static final int O_TRUNC = 0x200;
  private static final int O_APPEND = 0x400;

  /** Whether this system has all that it takes. Only where native access is allowed. */
  static boolean isSupported() {
    try {
      return ProcessCalls.canSpawn();
    } catch (LinkageError | RuntimeException e) {
      return false;
    }
  }

  @Override
  public List<Running> start(Services services, List<CommandSpec> commands) throws IOException {
    Reaper.OF_THE_PROCESS.startIfNeeded();
    List<Running> started = new ArrayList<>(commands.size()); // no memory is needed to enter one
    SpawnPlan before = null;
    try {
      for (int i = 0; i < commands.size(); i++) {
        CommandSpec spec = commands.get(i);
        var plan = new SpawnPlan();
        try {
          if (before != null) {
            plan.takeOver(0, before);
          }
          boolean last = i == commands.size() - 1;
          plan.prepare(spec, i == 0, last);
          started.add(spawn(spec, plan, last));
        } catch (Throwable t) {
          plan.closeAll();
          throw t;
        }
        plan.closeGiven();
        before = plan;
      }
      return started;
    } catch (Throwable t) {
      if (before != null) {
        before.closeAll();
      }
      Running.undoAll(started);
      throw t;
    }
  }

  private static Running spawn(CommandSpec spec, SpawnPlan plan, boolean last) throws IOException {
    Path program = ProgramLookup.find(spec, System.getenv("PATH"));
    var process = new NativeProcess(spec.ownGroup());
    try {
      spawn(program, spec, plan, process);
      process.open();
      process.watch(plan, last);
      return process;
    } catch (Throwable t) {
      process.undo();
      throw t;
    }
  }

  /** From then on the child exists, which {@code process} has been told. */
  static void spawn(Path program, CommandSpec spec, SpawnPlan plan, NativeProcess process)
      throws IOException {
    try (var arena = Arena.ofConfined()) {
      spawn(arena, program, spec, plan, process);
    }
  }

  private static void spawn(
      Arena arena, Path program, CommandSpec spec, SpawnPlan plan, NativeProcess process)
      throws IOException {
    MemorySegment pid = ProcessAbi.allocateInt(arena);
    MemorySegment path = arena.allocateFrom(program.toString());
    MemorySegment arguments = ProcessAbi.strings(arena, spec.words());
    List<String> variables = new ArrayList<>();
    for (Map.Entry<String, String> v : spec.variables(System.getenv()).entrySet()) {
      variables.add(v.getKey() + "=" + v.getValue());
    }
    MemorySegment environment = ProcessAbi.strings(arena, variables);
    MemorySegment actions = arena.allocate(ProcessAbi.ACTIONS_BYTES, 16);
    MemorySegment attributes = arena.allocate(ProcessAbi.ATTRIBUTES_BYTES, 16);
    check(spec, ProcessCalls.initActions(actions));
    try {
      check(spec, ProcessCalls.initAttributes(attributes));
      try {
        act(arena, spec, plan, actions);
        attribute(arena, spec, attributes);
        check(spec, ProcessCalls.spawn(pid, path, actions, attributes, arguments, environment));
        process.begin(ProcessAbi.intAt(pid));
      } finally {
        ProcessCalls.destroyAttributes(attributes);
      }
    } finally {
      ProcessCalls.destroyActions(actions);
    }
  }

  private static void act(Arena arena, CommandSpec spec, SpawnPlan plan, MemorySegment actions)
      throws IOException {
    for (int i = 0; i < STANDARD; i++) {
      int from = plan.given(i);
      if (from >= 0) {
        check(spec, ProcessCalls.addDuplicate(actions, from, i));
      }
    }
    if (spec.stderr() == Stdio.toStdout()) {
      check(spec, ProcessCalls.addDuplicate(actions, 1, 2));
    }
    // The JDK's own descriptors, and those of other libraries, would be inherited otherwise.
    check(spec, ProcessCalls.addCloseFrom(actions, STANDARD));
    @Nullable Path directory = spec.directory();
    if (directory != null) {
      MemorySegment path = arena.allocateFrom(directory.toAbsolutePath().toString());
      check(spec, ProcessCalls.addDirectory(actions, path));
    }
  }

  /**
   * No signal blocked, none ignored: the JVM ignores PIPE, and programs rely on its ending them.
   */
  private static void attribute(Arena arena, CommandSpec spec, MemorySegment attributes)
      throws IOException {
    MemorySegment none = arena.allocate(ProcessAbi.SIGNAL_SET_BYTES, 8);
    MemorySegment all = arena.allocate(ProcessAbi.SIGNAL_SET_BYTES, 8);
    ProcessCalls.fillSignals(all);
    check(spec, ProcessCalls.setSignals(attributes, none, all));
    int flags = ProcessAbi.POSIX_SPAWN_SETSIGMASK | ProcessAbi.POSIX_SPAWN_SETSIGDEF;
    if (spec.ownGroup()) {
      flags |= ProcessAbi.POSIX_SPAWN_SETPGROUP;
      check(spec, ProcessCalls.setGroup(attributes, 0));
    }
    check(spec, ProcessCalls.setFlags(attributes, (short) flags));
  }

  private static void check(CommandSpec spec, int errno) throws IOException {
    if (errno != 0) {
      throw PosixErrors.of("cannot start '" + spec.program() + "'", errno);
    }
  }

  /** Opens what a child's input or output is, above the standard ones; {@code index}: which. */
  static int open(Stdio stdio, int index) throws IOException {
    boolean input = index == 0;
    Path path = stdio instanceof Stdio.OfFile file ? file.path() : Path.of("/dev/null");
    int flags =
        input
            ? PosixAbi.O_RDONLY
            : PosixAbi.O_WRONLY
                | O_CREAT
                | (stdio instanceof Stdio.OfFile f && f.append() ? O_APPEND : O_TRUNC);
    CallFrame frame = CallFrame.take();
    try (var arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toAbsolutePath().toString());
      int fd = PosixCalls.open(frame, name, flags | PosixAbi.O_CLOEXEC, CREATE_MODE);
      return PosixErrors.check(path.toString(), fd);
    } finally {
      frame.giveBack();
    }
  }
}
