package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.wait.Branch;
import dev.blitz.io.internal.wait.Branches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Source#merge}: takes turns among those inputs that have something. */
/* Implementation notes
 *
 * `turns` is a ring of the places of inputs that may have an item, each at most once. One that has yielded an item goes to the end,
 * one that has none leaves until its branch is woken. When the budget is used up all keep their places for the next poll, which
 * the refusal has asked for: so an input that uses up the budget of each poll does not keep the others waiting.
 */
final class MergeStage<T> extends Stage<T> {
  private static final int FIRST_ROOM = 2;

  private @Nullable Stage<? extends T>[] inputs;
  private Branch[] wakers = new Branch[FIRST_ROOM];
  private final Branches branches = Branches.onDemand();
  private int[] turns = new int[FIRST_ROOM];
  private boolean[] hasTurn = new boolean[FIRST_ROOM];
  private int count;
  private int adopted;
  private int firstTurn;
  private int turnCount;
  private int open;

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
  private MergeStage() {
    inputs = new Stage[FIRST_ROOM];
  }

  static <T> Stage<T> of(Source<? extends T> first, Source<? extends T> second) {
    Objects.requireNonNull(first, "source");
    Objects.requireNonNull(second, "source");
    return both(Stage.of(first), Stage.of(second));
  }

  private static <T> Stage<T> both(Stage<? extends T> first, Stage<? extends T> second) {
    MergeStage<T> merge = larger(asMerge(first), asMerge(second));
    merge.take(first);
    merge.take(second);
    return merge;
  }

  static <T> Stage<T> of(Collection<? extends Source<? extends T>> sources) {
    sources.forEach(source -> Objects.requireNonNull(source, "source"));
    List<Stage<? extends T>> stages = new ArrayList<>(sources.size());
    sources.forEach(source -> stages.add(Stage.of(source)));
    MergeStage<T> merge = null;
    for (Stage<? extends T> stage : stages) {
      MergeStage<T> other = asMerge(stage);
      if (other != null) {
        merge = larger(merge, other);
      }
    }
    MergeStage<T> into = merge == null ? new MergeStage<>() : merge;
    stages.forEach(into::take);
    return into;
  }

  @SuppressWarnings("unchecked") // its items are of a subtype
  private static <T> @Nullable MergeStage<T> asMerge(Stage<? extends T> stage) {
    return stage instanceof MergeStage<?> merge ? (MergeStage<T>) merge : null;
  }

  /** The one with more inputs; a new one if there is none. */
  private static <T> MergeStage<T> larger(
      @Nullable MergeStage<T> one, @Nullable MergeStage<T> other) {
    if (one == null || other == null) {
      return one != null ? one : other != null ? other : new MergeStage<>();
    }
    return one.count < other.count ? other : one;
  }

  /**
   * Takes one more in. A merge that is merged again takes the others' inputs: none is as deep as
   * its calls, and the one that has most of them is the one that stays.
   */
  private void take(Stage<? extends T> stage) {
    MergeStage<T> other = asMerge(stage);
    if (other == null) {
      add(stage);
    } else if (other != this) {
      include(other);
    }
  }

  private void include(MergeStage<T> other) {
    other.branches.close();
    StageSource<?> outer = other.outer; // whoever closes that closes this: by one of its inputs
    for (int i = 0; i < other.count; i++) {
      Stage<? extends T> input = other.inputs[i];
      if (input != null) {
        if (outer != null) {
          input.outer = outer;
          outer = null;
        }
        add(input);
      }
    }
    if (outer != null) { // it had none
      var nothing = new Leaves.Empty<T>();
      nothing.outer = outer;
      add(nothing);
    }
  }

  private void add(Stage<? extends T> input) {
    if (count == inputs.length) {
      grow();
    }
    wakers[count] = branches.add(count);
    inputs[count] = input;
    open++;
    addTurn(count++);
  }

  private void grow() {
    int[] next = new int[2 * count];
    for (int i = 0; i < turnCount; i++) {
      next[i] = turns[(firstTurn + i) % turns.length];
    }
    inputs = Arrays.copyOf(inputs, next.length);
    wakers = Arrays.copyOf(wakers, next.length);
    hasTurn = Arrays.copyOf(hasTurn, next.length);
    turns = next;
    firstTurn = 0;
  }

  private void addTurn(int place) {
    if (!hasTurn[place] && inputs[place] != null) {
      hasTurn[place] = true;
      turns[(firstTurn + turnCount++) % turns.length] = place;
    }
  }

  private int takeTurn() {
    int place = turns[firstTurn];
    firstTurn = (firstTurn + 1) % turns.length;
    turnCount--;
    hasTurn[place] = false;
    return place;
  }

  @Override
  @Nullable T pull(Context cx) throws Exception {
    branches.begin(cx);
    try {
      for (Branch woken = branches.next(); woken != null; woken = branches.next()) {
        addTurn(woken.place);
      }
      while (turnCount > 0) {
        if (!cx.mayProceed()) {
          return null; // the first in the ring will be the first that has a budget
        }
        int place = takeTurn();
        Stage<? extends T> input = Objects.requireNonNull(inputs[place]);
        T item = input.pull(wakers[place]);
        if (item != null) {
          addTurn(place);
          return item;
        }
        if (input.ended) {
          inputs[place] = null;
          open--;
          dropAll(input);
        } else if (branches.hasStopped()) {
          addTurn(place); // it has used up the budget: the others are first in the next poll
          return null;
        }
      }
    } finally {
      branches.end();
    }
    ended = open == 0;
    return null;
  }

  @Override
  int inputs() {
    return count;
  }

  @Override
  int adopted() {
    return adopted;
  }

  @Override
  void allAdopted() {
    adopted = count;
  }

  @Override
  @Nullable Stage<?> input(int i) {
    return inputs[i];
  }

  /** The inputs have let go of their wakers. */
  @Override
  void forget() {
    for (int i = 0; i < count; i++) {
      addTurn(i);
    }
  }

  @Override
  void release() {
    branches.close();
  }

  @Override
  public String toString() {
    return "a merge of " + open;
  }
}
