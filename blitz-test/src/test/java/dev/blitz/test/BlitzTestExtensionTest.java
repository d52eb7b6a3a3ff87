package dev.blitz.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.instruction.InvokeInstruction;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Strict
@ExtendWith(BlitzTestExtension.class)
class BlitzTestExtensionTest {
  private static @Nullable TestRuntime last;

  private @Nullable TestRuntime given;

  @BeforeEach
  void keep(TestRuntime rt) {
    assertThat(rt).isNotSameAs(last);
    last = rt;
    given = rt;
  }

  @AfterAll
  static void theLastOneIsClosed() {
    TestRuntime rt = last;
    assertThat(rt).isNotNull();
    assertThatThrownBy(() -> rt.spawn(Task.sleep(Duration.ofSeconds(1))))
        .hasMessageContaining("closed");
  }

  @BlitzTest
  void oneRuntime_forATestAndWhatComesBeforeIt(TestRuntime rt) {
    assertThat(rt).isSameAs(given);
  }

  @Test
  void anotherRuntime_forAnotherTest(TestRuntime rt) {
    assertThat(rt).isSameAs(given);
  }

  /** What JUnit 5.0 has and 6 has not deprecated. */
  @Test
  void calls_onlyWhatJUnit5And6Have() throws IOException {
    try (var in = BlitzTestExtension.class.getResourceAsStream("BlitzTestExtension.class")) {
      assertThat(in).isNotNull();
      var called =
          ClassFile.of().parse(in.readAllBytes()).methods().stream()
              .flatMap(method -> method.code().stream())
              .flatMap(code -> code.elementStream())
              .filter(InvokeInstruction.class::isInstance)
              .map(InvokeInstruction.class::cast)
              .filter(call -> call.owner().asInternalName().startsWith("org/junit/"))
              .map(call -> call.name().stringValue())
              .collect(Collectors.toSet());
      assertThat(called)
          .containsExactlyInAnyOrder(
              "create", "get", "getParameter", "getStore", "publishReportEntry", "put", "remove");
    }
  }
}
