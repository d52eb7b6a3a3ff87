package dev.blitz.io.internal.task;

import dev.blitz.io.internal.current.Home;

/** A running task that ends when the test says so. */
final class RunningCell extends JoinCell<Integer> {
  private final Home home;

  RunningCell(CountingHome around) {
    super("the test's own work", null);
    home = around.home;
    toRunning();
  }

  @Override
  protected Home home() {
    return home;
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
