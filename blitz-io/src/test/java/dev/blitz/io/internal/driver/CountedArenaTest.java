package dev.blitz.io.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Strict;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

@Strict
class CountedArenaTest {

  @Test
  void anArena_isKnownUntilItIsClosed() {
    var arena = CountedArena.open("a test");
    MemorySegment memory = arena.allocate(8, 8);
    memory.set(ValueLayout.JAVA_LONG, 0, 7);
    assertThat(new NativeMemoryProbe().live()).contains(arena.toString());
    arena.close();
    assertThat(new NativeMemoryProbe().live()).doesNotContain(arena.toString());
    assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_LONG, 0))
        .isInstanceOf(IllegalStateException.class);
  }
}
