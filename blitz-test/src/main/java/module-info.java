/**
 * For those who test code that runs on blitz-io: a clock that stands still, and a runtime on it.
 */
module dev.blitz.test {
  requires transitive dev.blitz.io;
  requires static transitive org.jspecify;
  requires static transitive org.junit.jupiter.api;

  exports dev.blitz.test;
}
