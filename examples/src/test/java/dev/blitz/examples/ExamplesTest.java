package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * Every example runs and says what it should. The pool of blitz-parallel stays for the JVM's life.
 */
@Strict
class ExamplesTest {

  private interface Program {
    void main() throws Exception;
  }

  private static String outputOf(Program program) throws Exception {
    PrintStream before = System.out;
    var bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      program.main();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  @dev.blitz.testkit.LeakChecked(ignoreThreads = "blitz-parallel.*|blitz-common.*|.*parallel.*")
  void demo_showsEachScene() throws Exception {
    assertThat(outputOf(() -> Demo.main(new String[0])))
        .contains("This machine", "io_uring", "4999950000", "20 ms won", "the limit of", "2178309");
  }

  @Test
  void sumProtocol_servesOverTcp() throws Exception {
    assertThat(outputOf(() -> SumProtocol.main(new String[0])))
        .contains("1 + 2 + 3 + 4 = 10", "5 + 6 + 7 + 8 = 26", "served: 2");
  }

  @Test
  void logReport_countsErrors() throws Exception {
    assertThat(outputOf(() -> LogReport.main(new String[0]))).contains("20 logs, 210 errors");
  }

  @Test
  void retry_getsThereOnTheFourthAttempt() throws Exception {
    assertThat(outputOf(() -> Retry.main(new String[0])))
        .contains("attempt 3", "answer: hello on attempt 4");
  }

  @Test
  void manyJobs_stopAtTheThirdFailure_andTellTheFirst() throws Exception {
    assertThat(outputOf(() -> ManyJobs.main(new String[0])))
        .contains(
            "stopped after some 7,000 jobs",
            "because of: java.io.IOException: job 2000 met a full disk",
            "and 2 more");
  }

  @Test
  void query_isCancelledByItsStatement() throws Exception {
    assertThat(outputOf(() -> Query.main(new String[0])))
        .contains("1 row", "too slow: the server has stopped working on it");
  }

  @Test
  void restartedActor_goesOnWithTheNextMessage() throws Exception {
    assertThat(outputOf(() -> RestartedActor.main(new String[0])))
        .contains("sum 40", "counter failed: negative", "sum 2");
  }

  @Test
  void limitedServer_survivesAClient() throws Exception {
    assertThat(outputOf(() -> LimitedServer.main(new String[0])))
        .contains(
            "hello -> hello",
            "a client failed: nobody has thought of this",
            "! -> hung up",
            "still there -> still there",
            "cancelled at the end: 0");
  }

  @Test
  void chat_tellsAll() throws Exception {
    assertThat(outputOf(() -> Chat.main(new String[0])))
        .contains(
            "Ann hears: Ann is here", "Ann hears: Ben is here", "Ann hears: Ben: good morning");
  }

  @Test
  void proxy_waitsForItsServer() throws Exception {
    assertThat(outputOf(() -> Proxy.main(new String[0]))).contains("HELLO");
  }

  @Test
  void commands_runOtherPrograms() throws Exception {
    org.junit.jupiter.api.Assumptions.assumeTrue(java.io.File.separatorChar == '/', "POSIX");
    assertThat(outputOf(() -> Commands.main(new String[0])))
        .contains("said: hello", "counted: 1 a", "counted: 2 b", "answered: again")
        .contains("sleep: ended by SIGTERM");
  }

  @Test
  void hello_addsUp() throws Exception {
    assertThat(outputOf(() -> Hello.main(new String[0]))).contains("85");
  }

  @Test
  void loadPage_showsAPageAndATimeOut() throws Exception {
    assertThat(outputOf(() -> LoadPage.main(new String[0])))
        .contains("Page[user=user 1, posts=posts of 1]", "user 2: TimedOutException");
  }

  @Test
  void prices_areShownInOrder() throws Exception {
    assertThat(outputOf(() -> Prices.main(new String[0])))
        .containsSubsequence("item 1 is 10", "item 2 is 20", "item 10 is 100", "item 11 is 110")
        .doesNotContain("item 3 ");
  }

  @Test
  void pipeline_sumsAllSquares() throws Exception {
    assertThat(outputOf(() -> Pipeline.main(new String[0])))
        .contains("the squares add up to 338350");
  }

  @Test
  @dev.blitz.testkit.LeakChecked(ignoreThreads = "blitz-parallel.*")
  void wordCount_showsTheMostFrequentWords() throws Exception {
    assertThat(outputOf(() -> WordCount.main(new String[0])))
        .contains("depends 5715", "much 5715", "so 5715");
  }
}
