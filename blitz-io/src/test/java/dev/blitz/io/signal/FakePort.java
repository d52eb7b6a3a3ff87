package dev.blitz.io.signal;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A process without signals of its own: a test sends them. */
final class FakePort implements SignalPort {
  final Map<Signal, Runnable> installed = new EnumMap<>(Signal.class);
  final List<String> log = new ArrayList<>();
  Signal refused = Signal.SYS;

  @Override
  public boolean isSupported() {
    return true;
  }

  @Override
  public Runnable install(Signal signal, Runnable action) {
    if (signal == refused) {
      throw new IllegalArgumentException("refused by the test: " + signal);
    }
    log.add("install " + signal);
    installed.put(signal, action);
    return () -> {
      log.add("restore " + signal);
      installed.remove(signal);
    };
  }

  @Override
  public void raise(Signal signal) {
    log.add("raise " + signal);
  }

  void send(Signal signal) {
    Runnable action = installed.get(signal);
    if (action != null) {
      action.run();
    }
  }
}
