package dev.blitz.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A line of the report: the subject beside one peer or limit.
 *
 * @param workload name with profile
 * @param subject the subject's value as text
 * @param peer the peer's name
 * @param peerValue the peer's value as text, "" if there is none
 * @param ratio peer / subject in the same round, null where there is none
 * @param target as text, "" if there is none
 * @param verdict what became of the target
 * @param note why it was skipped or only reported, "" if there is nothing to say
 */
record ComparisonRow(
    String workload,
    String subject,
    String peer,
    String peerValue,
    @Nullable Quartiles ratio,
    String target,
    Verdict verdict,
    String note) {
  /** In place of a peer's name. */
  static final String LIMIT = "limit";

  static List<ComparisonRow> of(GroupResult result) {
    return result.workloads().stream().flatMap(w -> of(w).stream()).toList();
  }

  /** All peers in order, then limits. */
  static List<ComparisonRow> of(WorkloadResult workload) {
    var subject = workload.contender(workload.subject());
    if (subject.isEmpty()) {
      String reason = workload.skipped().getOrDefault(workload.subject(), "did not run");
      return List.of(skipped(workload, "", workload.subject(), "", reason));
    }
    var rows = new ArrayList<ComparisonRow>();
    for (var peer : workload.contenders()) {
      if (!peer.name().equals(workload.subject())) {
        rows.add(beside(workload, subject.get(), peer));
      }
    }
    String value = Numbers.withUnit(subject.get().quartiles().median(), workload.unit());
    workload
        .skipped()
        .forEach((peer, reason) ->
            rows.add(skipped(workload, value, peer, targetText(workload, peer), reason)));
    for (var target : workload.targets()) {
      switch (target.kind()) {
        case RATIO -> {}
        case AT_MOST -> rows.add(limit(workload, subject.get(), target));
        case ZERO_BYTES -> rows.add(zeroBytes(workload, subject.get()));
      }
    }
    return List.copyOf(rows);
  }

  /** Ratios of values of the same round; above 1 the subject is better. */
  static Quartiles ratios(List<Double> peer, List<Double> subject) {
    if (peer.size() != subject.size()) {
      throw new IllegalArgumentException("rounds differ: " + peer.size() + ", " + subject.size());
    }
    var ratios = new ArrayList<Double>();
    for (int round = 0; round < peer.size(); round++) {
      ratios.add(peer.get(round) / subject.get(round));
    }
    return Quartiles.of(ratios);
  }

  private static ComparisonRow beside(
      WorkloadResult workload, ContenderResult subject, ContenderResult peer) {
    var ratio = ratios(peer.values(), subject.values());
    var target = ratioTarget(workload, peer.name());
    String unjudged = whyUnjudged(workload, subject);
    boolean judged = target.isPresent() && unjudged.isEmpty();
    return new ComparisonRow(
        workload.label(),
        Numbers.withUnit(subject.quartiles().median(), workload.unit()),
        peer.name(),
        Numbers.withUnit(peer.quartiles().median(), workload.unit()),
        ratio,
        targetText(workload, peer.name()),
        judged ? Verdict.ofRatio(ratio, target.get().value()) : Verdict.REPORTED,
        target.isPresent() ? unjudged : "");
  }

  private static ComparisonRow limit(
      WorkloadResult workload, ContenderResult subject, Target target) {
    var limits = subject.values().stream().map(v -> target.value()).toList();
    var ratio = ratios(limits, subject.values());
    String unjudged = whyUnjudged(workload, subject);
    return new ComparisonRow(
        workload.label(),
        Numbers.withUnit(subject.quartiles().median(), workload.unit()),
        LIMIT,
        Numbers.withUnit(target.value(), workload.unit()),
        ratio,
        "at most " + Numbers.withUnit(target.value(), workload.unit()),
        unjudged.isEmpty() ? Verdict.ofRatio(ratio, 1) : Verdict.REPORTED,
        unjudged);
  }

  private static ComparisonRow zeroBytes(WorkloadResult workload, ContenderResult subject) {
    var measured = !Double.isNaN(subject.medianBytes());
    boolean clean = workload.profile() == WorkloadResult.Profile.CLEAN;
    boolean judged = measured && !clean && !workload.reportOnly();
    return new ComparisonRow(
        workload.label(),
        measured ? Numbers.withUnit(subject.medianBytes(), "bytes/op") : "",
        "allocation",
        "",
        null,
        "0 bytes/op",
        judged ? Verdict.ofBytes(Quartiles.of(subject.bytes())) : Verdict.REPORTED,
        measured ? "" : "not measured");
  }

  private static ComparisonRow skipped(
      WorkloadResult workload, String value, String peer, String target, String reason) {
    return new ComparisonRow(
        workload.label(), value, peer, "", null, target, Verdict.SKIPPED, reason);
  }

  /** Empty if targets count. */
  private static String whyUnjudged(WorkloadResult workload, ContenderResult subject) {
    if (workload.reportOnly()) {
      return "report only";
    }
    if (workload.profile() == WorkloadResult.Profile.CLEAN) {
      return "the polluted row counts";
    }
    boolean tiny = workload.unit().equals(Workload.NANOS) && subject.quartiles().median() < 1;
    return tiny ? "below a nanosecond" : "";
  }

  private static Optional<Target> ratioTarget(WorkloadResult workload, String peer) {
    return workload.targets().stream()
        .filter(t -> t.kind() == Target.Kind.RATIO && t.peer().equals(peer))
        .findFirst();
  }

  private static String targetText(WorkloadResult workload, String peer) {
    return ratioTarget(workload, peer).map(t -> Numbers.plain(t.value()) + "x").orElse("");
  }
}
