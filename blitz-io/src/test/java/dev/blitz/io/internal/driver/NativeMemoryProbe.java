package dev.blitz.io.internal.driver;

import dev.blitz.testkit.LeakProbe;
import java.util.List;

/** Lets every test fail that leaves native memory of a backend behind. */
public final class NativeMemoryProbe implements LeakProbe {

  @Override
  public String name() {
    return "native memory";
  }

  @Override
  public List<String> live() {
    return CountedArena.purposesOfOpen();
  }
}
