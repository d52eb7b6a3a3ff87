package dev.blitz.io.internal.task;

/** A running task that ends when the test says so. */
final class RunningCell extends JoinCell<Integer> {
  RunningCell(TaskHost host) {
    super(host, 1, "the test's own work", null);
    toRunning();
  }

  void succeed(int value) {
    finishWith(value);
  }

  void fail(Throwable cause) {
    finishFailed(cause);
  }

  @Override
  public boolean cancel() {
    return cancelTransition() != CancelRequest.REFUSED;
  }
}
