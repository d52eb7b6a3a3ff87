package dev.blitz.benchmarks.harness;

import java.util.List;

/**
 * Workloads that are run and reported together, in a JVM of their own.
 *
 * @param name on the command line and in file names
 * @param question what the group finds out, one sentence
 * @param profiles what the JVM has run before a workload is measured
 * @param jvmArguments for the group's JVM, after the defaults, so that they win
 * @param workloads in the order of the report
 */
public record Group(
    String name,
    String question,
    Profiles profiles,
    List<String> jvmArguments,
    List<Workload> workloads) {
  /** What the JVM has seen, which decides how well the compiler can specialise. */
  public enum Profiles {
    /** One JVM runs the workloads one after the other. */
    IN_ORDER,
    /**
     * Each workload is measured twice: in a fresh JVM, which is only reported, and in one that has
     * already run all the others, which is what targets are judged by.
     */
    CLEAN_AND_POLLUTED
  }

  /** Checks that names can be told apart. */
  public Group {
    jvmArguments = List.copyOf(jvmArguments);
    workloads = List.copyOf(workloads);
    if (!name.matches("[a-z][a-z0-9-]*")) {
      throw new IllegalArgumentException("not fit for a file name: " + name);
    }
    if (workloads.stream().map(Workload::name).distinct().count() != workloads.size()) {
      throw new IllegalArgumentException(name + ": two workloads have the same name");
    }
  }

  /**
   * A group whose workloads run one after the other in one JVM.
   *
   * @param name on the command line and in file names
   * @param question what the group finds out
   * @param workloads in the order of the report
   * @return the group
   */
  public static Group of(String name, String question, Workload... workloads) {
    return new Group(name, question, Profiles.IN_ORDER, List.of(), List.of(workloads));
  }

  /**
   * This group, each workload measured in a clean and in a polluted JVM.
   *
   * @return a copy
   */
  public Group cleanAndPolluted() {
    return new Group(name, question, Profiles.CLEAN_AND_POLLUTED, jvmArguments, workloads);
  }

  /**
   * This group with more JVM arguments, such as a larger heap.
   *
   * @param arguments as on the command line
   * @return a copy
   */
  public Group jvm(String... arguments) {
    return new Group(name, question, profiles, List.of(arguments), workloads);
  }
}
