package dev.blitz.benchmarks.harness;

/**
 * What a timed contender does, with the state that it needs. Making the fixture is the set-up and
 * is not measured; a fixture without state or tear-down is a lambda.
 *
 * <p>Each contender has a loop of its own. A loop shared by several through an interface measures
 * the interface: the compiler cannot inline what it has seen three classes behind.
 */
@FunctionalInterface
public interface Fixture {
  /**
   * Runs the workload's number of operations once. This should take some microseconds at least, so
   * that the call itself and the clock do not show.
   *
   * @return something that depends on all the work done, so that the compiler cannot leave it out
   * @throws Exception if the contender is broken; this ends the run
   */
  long run() throws Exception;

  /**
   * Gives back threads and the like; not measured.
   *
   * @throws Exception if that fails; this ends the run
   */
  default void tearDown() throws Exception {}

  /** Makes a fixture: the set-up before each slice. */
  @FunctionalInterface
  interface Factory {
    /**
     * Sets up.
     *
     * @return a fixture that is torn down before the next one is made
     * @throws Exception if the contender is broken; this ends the run
     */
    Fixture setUp() throws Exception;
  }
}
