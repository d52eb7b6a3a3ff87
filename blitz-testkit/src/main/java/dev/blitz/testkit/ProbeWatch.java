package dev.blitz.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Watches what one {@link LeakProbe} knows. */
final class ProbeWatch implements LeakWatch, LeakProbe.Registration {

  private static final CopyOnWriteArrayList<ProbeWatch> REGISTERED = new CopyOnWriteArrayList<>();

  private final LeakProbe probe;
  private final Set<Object> liveAtStart;

  /** Equal descriptions are told apart by counting them. */
  private record Item(String description, int occurrence) {}

  private ProbeWatch(LeakProbe probe) {
    this.probe = probe;
    this.liveAtStart = new HashSet<>(live().keySet());
  }

  static LeakProbe.Registration register(LeakProbe probe) {
    var watch = new ProbeWatch(probe);
    REGISTERED.add(watch);
    return watch;
  }

  /** The probes of now: services first, then what tests registered. */
  static List<ProbeWatch> all() {
    var all = new ArrayList<ProbeWatch>(Services.WATCHES);
    all.addAll(REGISTERED);
    return all;
  }

  /** For a scope that began before the probe was there. */
  Set<Object> liveAtStart() {
    return liveAtStart;
  }

  @Override
  public void close() {
    REGISTERED.remove(this);
  }

  @Override
  public String kind() {
    return probe.name();
  }

  @Override
  public Map<Object, Supplier<String>> live() {
    Map<String, Integer> occurrences = new HashMap<>();
    Map<Object, Supplier<String>> live = new HashMap<>();
    for (String description : probe.live()) {
      int occurrence = occurrences.merge(description, 1, Integer::sum);
      live.put(new Item(description, occurrence), () -> description);
    }
    return live;
  }

  /** Loaded when the first check begins. */
  private static final class Services {
    static final List<ProbeWatch> WATCHES =
        ServiceLoader.load(LeakProbe.class).stream()
            .map(provider -> new ProbeWatch(provider.get()))
            .toList();
  }
}
