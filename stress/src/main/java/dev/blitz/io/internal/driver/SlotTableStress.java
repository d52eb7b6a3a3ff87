package dev.blitz.io.internal.driver;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Numbers that the kernel keeps, against slots that come and go. */
public class SlotTableStress {

  /** What lies in a slot. */
  private static final class Item {
    private int content;

    Item(int content) {
      this.content = content;
    }
  }

  /** A late event for an object that has gone, while its slot is taken again. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "Gone")
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "Still there")
  @Outcome(expect = FORBIDDEN, desc = "The event reached a stranger")
  @State
  public static class LateEventAgainstReuse {
    private final SlotTable<Item> table = new SlotTable<>(1);
    private final long key = table.insert(new Item(1));

    @Actor
    public void event(I_Result r) {
      Item item = table.find(key);
      r.r1 = item == null ? 0 : item.content;
    }

    @Actor
    public void reuse() {
      table.remove(key);
      table.insert(new Item(2));
    }
  }

  /** An event for an object that stays, while the table grows. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "Found")
  @Outcome(expect = FORBIDDEN, desc = "An event was lost")
  @State
  public static class EventAgainstGrowth {
    private final SlotTable<Item> table = new SlotTable<>(1);
    private final long key = table.insert(new Item(1));

    @Actor
    public void event(I_Result r) {
      Item item = table.find(key);
      r.r1 = item == null ? 0 : item.content;
    }

    @Actor
    public void grow() {
      table.insert(new Item(2));
      table.insert(new Item(3));
    }
  }

  /** Whoever knows a number, by whatever way, finds the object, and finds it complete. */
  @JCStressTest
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "Not told yet")
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "Found")
  @Outcome(expect = FORBIDDEN, desc = "Not found, or not complete")
  @State
  public static class NumberHandedOver {
    private final SlotTable<Item> table = new SlotTable<>(1);
    private volatile long told;

    @Actor
    public void open() {
      told = table.insert(new Item(1));
    }

    @Actor
    public void event(I_Result r) {
      long key = told;
      Item item = key == 0 ? null : table.find(key);
      r.r1 = key == 0 ? -1 : item == null ? 0 : item.content;
    }
  }

  /** Two that close the same object: one takes it out. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0"},
      expect = ACCEPTABLE,
      desc = "One of them")
  @Outcome(expect = FORBIDDEN, desc = "Both, or none: the slot would be free twice, or never")
  @State
  public static class RemovedTwice {
    private final SlotTable<Item> table = new SlotTable<>(1);
    private final long key = table.insert(new Item(1));

    @Actor
    public void one(II_Result r) {
      r.r1 = table.remove(key) ? 1 : 0;
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = table.remove(key) ? 1 : 0;
    }
  }
}
