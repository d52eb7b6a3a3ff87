package dev.blitz.examples.guide;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.observe.CloseReport;
import dev.blitz.io.policy.SpinMode;
import java.time.Duration;

/** docs/guide/tuning.md and docs/guide/troubleshooting.md. */
final class Tuning {
  private Tuning() {}

  static BlitzRuntime tuned() {
    BlitzRuntime runtime =
        BlitzRuntime.builder()
            .name("shop")
            .workers(4)
            .spin(SpinMode.OFF)
            .stallThreshold(Duration.ofMillis(10))
            .build();
    return runtime;
  }

  static void look(BlitzRuntime runtime) {
    runtime.dump().forEach(IO::println);
  }

  static void close(BlitzRuntime runtime) {
    CloseReport report = runtime.close(Duration.ofSeconds(5));
    if (!report.clean()) {
      IO.println(report);
    }
  }
}
