package dev.blitz.io.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.ref.Cleaner;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class LostHandlesTest {
  private static final class Counted implements LostHandles.Held {
    private final AtomicInteger closes;
    private boolean open = true;

    Counted(AtomicInteger closes) {
      this.closes = closes;
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void close() {
      open = false;
      closes.incrementAndGet();
    }
  }

  /**
   * A virtual thread that is next for a monitor may need the very worker that waits behind it. The
   * JDK's cleaner has one.
   */
  @Test
  void watching_takesNoMonitor() throws Exception {
    ClassModel model;
    try (var in = LostHandles.class.getResourceAsStream("LostHandles.class")) {
      model = ClassFile.of().parse(Objects.requireNonNull(in).readAllBytes());
    }
    for (MethodModel method : model.methods()) {
      assertThat(method.flags().has(AccessFlag.SYNCHRONIZED)).as(method.toString()).isFalse();
      for (var element : method.code().orElseThrow().elementList()) {
        assertThat(element).as(method.toString()).isNotInstanceOf(MonitorInstruction.class);
        if (element instanceof InvokeInstruction call) {
          assertThat(call.owner().asInternalName()).isNotEqualTo("java/lang/ref/Cleaner");
        }
      }
    }
  }

  @Test
  void manyAtOnce_areEachCleanedOnce() throws Exception {
    var closes = new AtomicInteger();
    Race.run(
        2,
        me -> {
          for (int i = 0; i < 200_000; i++) {
            LostHandles.watch(new Object(), new Counted(closes), "one of the test").clean();
          }
        });
    assertThat(closes).hasValue(400_000);
  }

  @Test
  void eachIsCleanedOnce_inAnyOrder() {
    var closes = new AtomicInteger();
    List<Object> handles = new ArrayList<>();
    List<Cleaner.Cleanable> watched = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      handles.add(new Object());
      watched.add(LostHandles.watch(handles.getLast(), new Counted(closes), "one of ten"));
    }
    for (int i : new int[] {0, 9, 4, 5, 1, 8, 2, 3, 6, 7, 7, 0}) {
      watched.get(i).clean();
    }
    assertThat(closes).hasValue(10);
    assertThat(handles).hasSize(10);
  }
}
