package dev.blitz.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.ReflectionSupport;

class SeededRegistrationTest {
  @Test
  void everySeededProgram_isListedAsAService() {
    List<Class<?>> written =
        ReflectionSupport.findAllClassesInClasspathRoot(
            Workplace.code().toUri(),
            type -> SeededStress.class.isAssignableFrom(type) && !type.isInterface(),
            name -> name.startsWith("dev.blitz."));
    var listed =
        ServiceLoader.load(SeededStress.class).stream().map(ServiceLoader.Provider::type).toList();

    assertThat(listed)
        .containsExactlyInAnyOrderElementsOf(
            written.stream().map(SeededRegistrationTest::program).toList());
  }

  private static Class<? extends SeededStress> program(Class<?> type) {
    return type.asSubclass(SeededStress.class);
  }
}
