package dev.blitz.io.future;

/**
 * How a computation ended.
 *
 * {@snippet :
 * String text = switch (handle.outcome()) {
 *   case Outcome.Success<String>(var value) -> value;
 *   case Outcome.Failure<String>(var cause) -> "failed: " + cause;
 *   case Outcome.Cancelled<String>(var what) -> what;
 * };
 * }
 */
public sealed interface Outcome<T> {

  /** It yielded a value. */
  record Success<T>(T value) implements Outcome<T> {}

  /** It threw. */
  record Failure<T>(Throwable cause) implements Outcome<T> {}

  /** It was cancelled before it could end by itself. */
  record Cancelled<T>(String what) implements Outcome<T> {}

  /** The same end, for those who need it of a wider type. */
  @SuppressWarnings("unchecked") // an outcome only gives out its value
  static <T> Outcome<T> of(Outcome<? extends T> outcome) {
    return (Outcome<T>) outcome;
  }
}
