package dev.blitz.stress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StressMainTest {
  private static final StressBudget BUDGET = new StressBudget(Duration.ofSeconds(40));

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  @Test
  void everythingExecuted_passesAndSumsUp() throws Exception {
    assertThat(run(Selection.ALL, executes("a", "x"), executes("b", "y"))).isTrue();
    assertThat(lastLine()).isEqualTo("2 declared, 2 executed, 0 failed");
  }

  @Test
  void oneCheckPassedOver_failsAndNamesIt() throws Exception {
    var passesOver = new FakeKind("b", List.of("y", "z"), List.of("y"), new ArrayList<>());

    assertThat(run(Selection.ALL, executes("a", "x"), passesOver)).isFalse();
    assertThat(output.toString(UTF_8)).contains("NOT EXECUTED z");
    assertThat(lastLine()).isEqualTo("3 declared, 2 executed, 0 failed");
  }

  @Test
  void oneKindWithoutAnyCheck_failsAFullRun() throws Exception {
    var empty = new FakeKind("b", List.of(), List.of(), new ArrayList<>());

    assertThat(run(Selection.ALL, executes("a", "x"), empty)).isFalse();
    assertThat(output.toString(UTF_8)).contains("FAILED b");
  }

  @Test
  void oneKindWithoutAnyCheck_isFineWhenOnlySomeWereAskedFor() throws Exception {
    var empty = new FakeKind("b", List.of(), List.of(), new ArrayList<>());

    assertThat(run(Selection.matching("x"), executes("a", "x"), empty)).isTrue();
  }

  @Test
  void nothingSelected_fails() throws Exception {
    var empty = new FakeKind("b", List.of(), List.of(), new ArrayList<>());

    assertThat(run(Selection.matching("nonsense"), empty)).isFalse();
  }

  @Test
  void budget_isSharedByWeight() throws Exception {
    FakeKind first = executes("a", "x");
    FakeKind second = executes("b", "y");
    run(Selection.ALL, first, second);

    assertThat(first.budgets()).containsExactly(Duration.ofSeconds(20));
    assertThat(second.budgets()).containsExactly(Duration.ofSeconds(20));
  }

  private boolean run(Selection selection, StressKind... kinds) throws Exception {
    var out = new PrintStream(output, true, UTF_8);
    return new StressMain(out, List.of(kinds)).run(selection, BUDGET);
  }

  private String lastLine() {
    return output.toString(UTF_8).lines().toList().getLast();
  }

  private static FakeKind executes(String kind, String check) {
    return new FakeKind(kind, List.of(check), List.of(check), new ArrayList<>());
  }

  private record FakeKind(
      String name, List<String> declared, List<String> executed, List<Duration> budgets)
      implements StressKind {
    @Override
    public Tally run(Selection selection, Duration budget) {
      budgets.add(budget);
      var tally = Tally.empty();
      tally.declared().addAll(declared);
      tally.executed().addAll(executed);
      return tally;
    }
  }
}
