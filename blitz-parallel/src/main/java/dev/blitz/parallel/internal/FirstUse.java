package dev.blitz.parallel.internal;

import org.jspecify.annotations.Nullable;

/**
 * Initialises the classes of this library on the empty stack of a thread of its own, before any of
 * them is used.
 *
 * <p>A class whose initialiser fails once is unusable for ever, and an initialiser that runs on a
 * full stack fails, at its first call if not later. So the classes that users call have none, and
 * come here first. What is left are constants that a user reads directly: a program whose very
 * first use of this library is {@code LoopOptions.DEFAULT}, at the very end of a stack.
 */
/*
 * Implementation notes
 *
 * Orderings: core and data are plain and only say that there is nothing to do. Who uses a class is ordered after its
 * initialisation by the JVM.
 *
 * Progress: several threads may be first; each starts a thread, all but one of which wait for the class that the
 * other is at. None waits for user code: no initialiser of this library calls any.
 *
 * This class has no initialiser either, so no field here has a value to begin with.
 */
public final class FirstUse {
  /** Heap that is there before an initialiser begins: it may not fail for lack of it either. */
  private static final int ROOM = 1 << 20;

  private static boolean core;
  private static boolean data;

  private FirstUse() {}

  /**
   * Before a pool or a loop is made.
   *
   * @throws StackOverflowError when there is too little stack to find out; nothing is broken then
   */
  public static void ofCore() {
    if (!core) {
      initialise(false);
    }
  }

  /**
   * Before a pipeline, a sort or another function on arrays begins.
   *
   * @throws StackOverflowError when there is too little stack to find out; nothing is broken then
   */
  public static void ofData() {
    if (!data) {
      initialise(true);
    }
  }

  private static void initialise(boolean withData) {
    // Here nothing has begun, and a class of the JDK's that is used for the first time has room.
    StackReserve.require();
    var initialiser = new Initialiser(withData);
    try {
      initialiser.start();
    } catch (OutOfMemoryError noThread) {
      if (!StackReserve.isAmple()) {
        throw noThread;
      }
      initialiser.initialise();
    }
    await(initialiser);
    if (initialiser.failure != null) {
      throw Throwing.<RuntimeException>sneaky(initialiser.failure);
    }
    core = true;
    data |= withData;
  }

  /** Here rather than with the code of pools: it must need no class that is not initialised yet. */
  private static void await(Thread initialiser) {
    boolean interrupted = false;
    while (initialiser.isAlive()) {
      try {
        initialiser.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Initialiser extends Thread {
    private final boolean withData;
    @Nullable Throwable failure;

    Initialiser(boolean withData) {
      super(null, null, "blitz-parallel-first-use", 0, false);
      this.withData = withData;
      setDaemon(true);
    }

    @Override
    public void run() {
      initialise();
    }

    void initialise() {
      try {
        if (new byte[ROOM].length == ROOM) {
          initialiseAll(coreClasses());
          if (withData) {
            initialiseAll(dataClasses());
          }
        }
      } catch (Throwable t) {
        failure = t;
      }
    }
  }

  private static void initialiseAll(String classes) throws ClassNotFoundException {
    for (String name : classes.lines().toList()) {
      Class.forName("dev.blitz.parallel." + name, true, FirstUse.class.getClassLoader());
    }
  }

  /** Those that have an initialiser, that of a switch over an enum included; a test compares. */
  static String coreClasses() {
    return """
    LoopOptions
    Parallel$Anywhere
    Pool$Unnamed
    internal.ChaseLevDeque
    internal.CountLatch
    internal.ForkStack
    internal.Frame
    internal.Latch
    internal.Loops
    internal.RangeLoop
    internal.ScopeCore
    internal.SharedFork
    internal.Sleep
    internal.SleepCounters
    internal.Sleeper
    internal.SpareWorkers
    internal.Spinning
    internal.WorkerCounters
    internal.WorkerThread
    internal.Works
    internal.plan.Cost
    internal.plan.Plans
    """
        .strip();
  }

  static String dataClasses() {
    return """
    internal.array.SetRule
    internal.array.TwoSortedDoubles
    internal.array.TwoSortedInts
    internal.array.TwoSortedLongs
    internal.sort.DoubleSort
    internal.sort.LongSort
    internal.sort.ObjectSort
    internal.spin.Concat
    internal.spin.Ends
    internal.spin.Execution
    internal.spin.Execution$1
    internal.spin.Form
    internal.spin.Interpreter
    internal.spin.Interpreter$1
    internal.spin.Kind
    internal.spin.Op
    internal.spin.Op$1
    internal.spin.Op$Role
    internal.spin.Pass$1
    internal.spin.Pipe
    internal.spin.Prefix$1
    internal.spin.Scan
    internal.spin.Shapes
    internal.spin.Shapes$1
    internal.spin.Source$1
    internal.spin.Source$Form
    internal.spin.SpinPlan
    internal.spin.Spinner
    internal.spin.Spinner$1
    iter.BaseIter$Anywhere
    """
        .strip();
  }
}
