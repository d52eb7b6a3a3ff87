package dev.blitz.io;

import dev.blitz.io.task.TaskFailedException;

/** Gives the caller of run the exception of its own future, with the place of the call added. */
final class RunFailure {
  private RunFailure() {}

  static Exception of(TaskFailedException e) {
    Throwable cause = e.getCause();
    return switch (cause) {
      case Exception x -> {
        if (!hasCallSite(x)) {
          x.addSuppressed(e.getStackTrace().length == 0 ? e : new CallSite(e));
        }
        yield x;
      }
      case Error x -> throw x;
      case null, default -> e;
    };
  }

  /** An exception that is a constant would grow with each run. */
  private static boolean hasCallSite(Exception x) {
    for (Throwable t : x.getSuppressed()) {
      if (t instanceof CallSite || (t instanceof TaskFailedException f && f.getCause() == x)) {
        return true;
      }
    }
    return false;
  }

  /** Shows in the stack trace where the runtime was asked to run. */
  private static final class CallSite extends Exception {
    private static final long serialVersionUID = 1L;

    CallSite(TaskFailedException e) {
      super("run was called here");
      setStackTrace(e.getStackTrace());
    }
  }
}
