package dev.blitz.io.internal.task;

/** A thread that belongs to a runtime: a worker or a thread of the blocking pool. */
public abstract class RuntimeThread extends Thread {
  private final TaskHost host;

  protected RuntimeThread(TaskHost host, String name) {
    super(
        null, null, name, 0, false); // inherits no thread-locals: what started it is a coincidence
    this.host = host;
    setDaemon(true);
  }

  /** The runtime's inside. */
  public final TaskHost host() {
    return host;
  }

  /** Whether this thread polls tasks, so that it must never block. */
  public abstract boolean isWorker();
}
