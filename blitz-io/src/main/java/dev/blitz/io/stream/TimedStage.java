package dev.blitz.io.stream;

/** A stage with one input and a timer. */
abstract class TimedStage<T, U> extends Stage<U> {
  final Stage<T> from;
  final StageTimer timer = new StageTimer();

  TimedStage(Stage<T> from) {
    this.from = from;
  }

  @Override
  final int inputs() {
    return 1;
  }

  @Override
  final Stage<?> input(int i) {
    return from;
  }

  @Override
  void forget() {
    timer.forget();
  }

  @Override
  void release() {
    timer.unset();
  }

  @Override
  public final String toString() {
    return from.toString();
  }
}
