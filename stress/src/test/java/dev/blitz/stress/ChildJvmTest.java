package dev.blitz.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest {
  @TempDir Path folder;

  @Test
  void goodChild_leavesItsOutputAndNoProblem() throws Exception {
    var lines = new ArrayList<String>();
    var child = new ChildJvm(folder);

    String problem =
        child.run(Greets.class, List.of(), List.of("Ada"), Duration.ofMinutes(1), lines::add);

    assertThat(problem).isEmpty();
    assertThat(lines).contains("Hello Ada");
    assertThat(Files.readAllLines(child.log())).contains("Hello Ada");
  }

  @Test
  void failingChild_isReportedWithItsExitCode() throws Exception {
    String problem = run(Exits.class, Duration.ofMinutes(1));

    assertThat(problem).startsWith("exit code 7");
  }

  @Test
  void hangingChild_isKilledAtTheLimit() throws Exception {
    String problem = run(Hangs.class, Duration.ofSeconds(1));

    assertThat(problem).startsWith("killed after 1 s");
  }

  private String run(Class<?> main, Duration limit) throws Exception {
    return new ChildJvm(folder).run(main, List.of(), List.of(), limit, line -> {});
  }

  static final class Greets {
    public static void main(String[] args) {
      System.out.println("Hello " + args[0]);
    }
  }

  static final class Exits {
    public static void main(String[] args) {
      System.exit(7);
    }
  }

  static final class Hangs {
    public static void main(String[] args) throws InterruptedException {
      new CountDownLatch(1).await();
    }
  }
}
