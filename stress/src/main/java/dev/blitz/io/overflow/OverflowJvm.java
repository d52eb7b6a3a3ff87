package dev.blitz.io.overflow;

import dev.blitz.stress.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the {@link OverflowProgram} in a JVM of its own: how large frames are, and so what meets the
 * end of the stack, depends on who has compiled what.
 *
 * @param ownCarriers whether our workers carry the direct tasks
 * @param interpreted whether nothing is compiled: frames are largest then
 */
record OverflowJvm(boolean ownCarriers, boolean interpreted, int workers) {

  /**
   * Throws what the program said if something did not survive.
   *
   * @param shift by how many frames the first round is shifted, the others by one more each
   * @param only the name of the one operation, or none for all of them
   */
  void run(int rounds, int shift, Duration limit, String... only)
      throws IOException, InterruptedException {
    var options = new ArrayList<String>();
    options.add("-Xss256k"); // the workers' stacks, and so their ends, are near
    options.add("-XX:MaxJavaStackTraceDepth=16"); // the writing down of ends takes most of the time
    if (interpreted) {
      options.add("-Xint");
    }
    var args = new ArrayList<String>();
    for (int number : new int[] {workers, rounds, shift}) {
      args.add(Integer.toString(number));
    }
    args.addAll(List.of(only));
    var output = new StringBuilder();
    String problem =
        ChildJvm.in("overflow", ownCarriers)
            .run(
                OverflowProgram.class,
                options,
                args,
                limit,
                line -> output.append(line).append('\n'));
    if (!problem.isEmpty() || !output.toString().contains("all operations survived")) {
      throw new AssertionError(this + " " + args + ": " + problem + "\n" + output);
    }
  }
}
