package dev.blitz.io.internal.task;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.internal.timer.RuntimeTimers;
import java.util.concurrent.atomic.AtomicInteger;

/** For cells without a runtime: counts the failures that nobody asked for. */
final class CountingHost implements TaskHost {
  final AtomicInteger told = new AtomicInteger();

  private static AssertionError unexpected() {
    return new AssertionError("this cell is never scheduled");
  }

  @Override
  public void uncaught(String what, Throwable failure) {
    told.incrementAndGet();
  }

  @Override
  public void keepUnjoined(JoinCell<?> task, TaskFailure failure) {
    // Nobody asks this host for what is left.
  }

  @Override
  public void forgetUnjoined(TaskFailure failure) {
    // As above.
  }

  @Override
  public void quiet() {
    throw unexpected();
  }

  @Override
  public RuntimeTimers timers() {
    throw unexpected();
  }

  @Override
  public void schedule(TaskCell<?> task) {
    throw unexpected();
  }

  @Override
  public void reschedule(TaskCell<?> task) {
    throw unexpected();
  }

  @Override
  public void carry(Runnable continuation) {
    throw new AssertionError("no thread has this host's scheduler");
  }

  @Override
  public void own(TaskCell<?> task) {
    throw unexpected();
  }

  @Override
  public void disown(TaskCell<?> task) {
    throw unexpected();
  }

  @Override
  public void ended() {
    throw unexpected();
  }

  @Override
  public BlitzRuntime runtime() {
    throw unexpected();
  }
}
