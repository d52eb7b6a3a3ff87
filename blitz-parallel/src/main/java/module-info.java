/** Fork-join data parallelism with the cheapest fork on the JVM. */
module dev.blitz.parallel {
  requires static transitive org.jspecify;

  exports dev.blitz.parallel;
  exports dev.blitz.parallel.array;
  exports dev.blitz.parallel.iter;
  exports dev.blitz.parallel.sort;
}
