package dev.blitz.io.future;

/** The context of one poll, with a budget of its own and a note of whether the poll was woken. */
public final class OnePoll implements Context {
  private int left;
  private boolean woken;

  /** With a budget of so many operations. */
  public OnePoll(int budget) {
    left = budget;
  }

  /** Whether somebody has asked for another poll. */
  public boolean isWoken() {
    return woken;
  }

  @Override
  public Waker waker() {
    return () -> woken = true;
  }

  @Override
  public boolean proceed() {
    if (left > 0) {
      left--;
      return true;
    }
    woken = true;
    return false;
  }

  @Override
  public void refund() {
    left++;
  }
}
