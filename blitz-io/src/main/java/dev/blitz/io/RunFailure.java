package dev.blitz.io;

import dev.blitz.io.task.TaskFailedException;

/** Gives the caller of run the exception of its own future, with the place of the call added. */
final class RunFailure {
  private RunFailure() {}

  static Exception of(TaskFailedException e) {
    Throwable cause = e.getCause();
    return switch (cause) {
      case Exception x -> {
        x.addSuppressed(e.getStackTrace().length == 0 ? e : new CallSite(e));
        yield x;
      }
      case Error x -> throw x;
      case null, default -> e;
    };
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
