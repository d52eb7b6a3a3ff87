package dev.blitz.benchmarks.harness;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row of a group: the same work done by a subject and its peers.
 *
 * @param name the name in tables
 * @param unit of the values, lower is better
 * @param operations per call of {@link Fixture#run()}
 * @param reportOnly whether targets are left unjudged
 * @param subject what is measured against the others
 * @param peers the others
 * @param targets what the subject should reach
 */
public record Workload(
    String name,
    String unit,
    long operations,
    boolean reportOnly,
    Contender subject,
    List<Contender> peers,
    List<Target> targets) {
  /** The unit of timed workloads. */
  public static final String NANOS = "ns/op";

  /** The name of the subject wherever Blitz is the subject. */
  public static final String BLITZ = "blitz";

  /** Checks that names are unique. */
  public Workload {
    peers = List.copyOf(peers);
    targets = List.copyOf(targets);
    if (operations < 1) {
      throw new IllegalArgumentException(name + ": operations must be positive: " + operations);
    }
    var names = new HashSet<>(List.of(subject.name()));
    for (var peer : peers) {
      if (!names.add(peer.name())) {
        throw new IllegalArgumentException(name + ": two contenders named " + peer.name());
      }
    }
  }

  /**
   * Begins a workload.
   *
   * @param name the name in tables
   * @return a builder
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** Subject first. */
  List<Contender> contenders() {
    var all = new ArrayList<Contender>();
    all.add(subject);
    all.addAll(peers);
    return List.copyOf(all);
  }

  /** Puts a workload together. */
  public static final class Builder {
    private final String name;
    private final List<Contender> peers = new ArrayList<>();
    private final List<Target> targets = new ArrayList<>();
    private String unit = NANOS;
    private long operations = 1;
    private boolean reportOnly;
    private @Nullable Contender subject;

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Sets how many operations one call of a fixture does; 1 if not set.
     *
     * @param count the same for every contender
     * @return this
     */
    public Builder operations(long count) {
      operations = count;
      return this;
    }

    /**
     * Sets the unit of contenders that measure themselves.
     *
     * @param text such as "bytes/task"
     * @return this
     */
    public Builder unit(String text) {
      unit = text;
      return this;
    }

    /**
     * Sets the subject to a timed contender named "blitz".
     *
     * @param factory sets it up
     * @return this
     */
    public Builder blitz(Fixture.Factory factory) {
      return subject(Contender.timed(BLITZ, factory));
    }

    /**
     * Sets the subject.
     *
     * @param contender measured against the peers
     * @return this
     */
    public Builder subject(Contender contender) {
      subject = contender;
      return this;
    }

    /**
     * Adds a peer without a target.
     *
     * @param contender the peer
     * @return this
     */
    public Builder peer(Contender contender) {
      peers.add(contender);
      return this;
    }

    /**
     * Adds a peer with a target.
     *
     * @param contender the peer
     * @param target the least ratio of the peer's value to the subject's
     * @return this
     */
    public Builder peer(Contender contender, double target) {
      targets.add(Target.ratio(contender.name(), target));
      return peer(contender);
    }

    /**
     * Adds a limit for the subject's own value.
     *
     * @param limit in the workload's unit
     * @return this
     */
    public Builder atMost(double limit) {
      targets.add(Target.atMost(limit));
      return this;
    }

    /**
     * Requires that the subject allocates nothing per operation.
     *
     * @return this
     */
    public Builder zeroBytes() {
      targets.add(Target.zeroBytes());
      return this;
    }

    /**
     * Leaves targets unjudged: the row is for information.
     *
     * @return this
     */
    public Builder reportOnly() {
      reportOnly = true;
      return this;
    }

    /**
     * Finishes.
     *
     * @return the workload
     */
    public Workload build() {
      if (subject == null) {
        throw new IllegalStateException(name + ": no subject");
      }
      return new Workload(name, unit, operations, reportOnly, subject, peers, targets);
    }
  }
}
