package dev.blitz.io.internal.driver;

import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Slots that are taken, freed and taken again by some, and looked up without a lock by others. */
@Param(name = "slot", gen = IntGen.class, conf = "0:1")
@Param(name = "generation", gen = IntGen.class, conf = "1:2")
public class SlotTableLincheckTest {
  private final SlotTable<String> table = new SlotTable<>(1);

  private static long key(int slot, int generation) {
    return (long) generation << 32 | slot;
  }

  /** Gives an object a number. */
  @Operation
  public long insert() {
    return table.insert("item");
  }

  /** Looks for the object of a number that the kernel has kept. */
  @Operation
  public @Nullable String find(
      @Param(name = "slot") int slot, @Param(name = "generation") int generation) {
    return table.find(key(slot, generation));
  }

  /** Takes it out. */
  @Operation
  public boolean remove(
      @Param(name = "slot") int slot, @Param(name = "generation") int generation) {
    return table.remove(key(slot, generation));
  }

  /** How many there are. */
  @Operation
  public int size() {
    return table.size();
  }

  @Test
  void isLinearisable() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
