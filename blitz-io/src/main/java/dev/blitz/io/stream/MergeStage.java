package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.wait.Branch;
import dev.blitz.io.internal.wait.Branches;
import java.util.Collection;
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
  private final @Nullable Stage<? extends T>[] inputs;
  private final Branch[] wakers;
  private final Branches branches = Branches.onDemand();
  private final int[] turns;
  private final boolean[] hasTurn;
  private int firstTurn;
  private int turnCount;
  private int open;

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
  private MergeStage(Source<? extends T>[] sources) {
    for (Source<? extends T> source : sources) {
      Objects.requireNonNull(source, "source");
    }
    open = sources.length;
    inputs = new Stage[open];
    wakers = new Branch[open];
    turns = new int[open];
    hasTurn = new boolean[open];
    for (int i = 0; i < open; i++) {
      wakers[i] = branches.add(i);
      inputs[i] = Stage.of(sources[i]);
      addTurn(i);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
  static <T> Stage<T> of(Source<? extends T> first, Source<? extends T> second) {
    return new MergeStage<>(new Source[] {first, second});
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
  static <T> Stage<T> of(Collection<? extends Source<? extends T>> sources) {
    return new MergeStage<>(sources.toArray(new Source[0]));
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
        if (!cx.proceed()) {
          return null; // the first in the ring will be the first that has a budget
        }
        cx.refund();
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
    return inputs.length;
  }

  @Override
  @Nullable Stage<?> input(int i) {
    return inputs[i];
  }

  /** The inputs have let go of their wakers. */
  @Override
  void forget() {
    for (int i = 0; i < inputs.length; i++) {
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
