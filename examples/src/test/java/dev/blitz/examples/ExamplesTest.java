package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.examples.demo.Demo;
import dev.blitz.testkit.Strict;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    assertThat(outputOf(() -> Demo.main(new String[] {"--quick"})))
        .containsSubsequence(
            "This machine", "backend     io_uring", "start-up", "Tasks: 10,000", "memory")
        .containsSubsequence("Server: HTTP", "p99.9", "Channels", "Files and processes", "errors")
        .containsSubsequence("Parallel", "the JDK", "fib(20) = 6,765", "100 of 100", "That was it")
        .contains("closed: nothing left behind");
  }

  @Test
  void aPortThatIsNoNumber_isTold() throws Exception {
    String[] eighty = {"eighty"};
    for (Program server :
        new Program[] {
          () -> Chat.main(eighty),
          () -> Echo.main(eighty),
          () -> FileServer.main(eighty),
          () -> GracefulServer.main(eighty),
          () -> HttpHello.main(eighty),
          () -> MiniRedis.main(eighty),
          () -> Socks5.main(eighty)
        }) {
      assertThat(outputOf(server)).isEqualToIgnoringNewLines("a port is a number, not eighty");
    }
    assertThat(outputOf(() -> TlsProxy.main(eighty))).contains("all five");
    assertThat(outputOf(() -> TlsProxy.main(new String[] {"a", "b", "8443", "localhost", "x"})))
        .contains("all five");
  }

  @Test
  void sumProtocol_servesOverTcp() throws Exception {
    assertThat(outputOf(() -> SumProtocol.main(new String[0])))
        .contains("1 + 2 + 3 + 4 = 10", "5 + 6 + 7 + 8 = 26", "served: 2");
  }

  @Test
  void names_areAddedByTheConsole_andAnsweredByUdp() throws Exception {
    assertThat(outputOf(() -> Names.main(new String[0])))
        .contains("admin: added", "printer: 192.0.2.7", "scanner: unknown");
  }

  @Test
  void logReport_countsErrors() throws Exception {
    assertThat(outputOf(() -> LogReport.main(new String[0]))).contains("20 logs, 210 errors");
  }

  @Test
  void sharedCounter_losesNothing() throws Exception {
    assertThat(outputOf(() -> SharedCounter.main(new String[0]))).contains("counted to 100");
  }

  @Test
  void countInput_waitsForAPipe() throws Exception {
    assertThat(outputOf(() -> CountInput.main(new String[0]))).contains("still waiting", "6 lines");
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
            "Ann hears: Ann is here",
            "Ann hears: Ben is here",
            "Ann hears: Ben: good morning",
            "Ann hears: Ben has left")
        .doesNotContain("Exception");
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
  void logShipper_sendsEveryLine_overARotationAndADeathOfTheCollector() throws Exception {
    assertThat(outputOf(() -> LogShipper.main(new String[0])))
        .contains("10000 lines, from line 0 to line 9999");
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

  @Test
  @dev.blitz.testkit.LeakChecked(ignoreThreads = "blitz-parallel.*")
  void wordCount_ofALargeFile(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("text");
    Files.writeString(file, "one two  two\nthree three three\n".repeat(100_000));
    assertThat(outputOf(() -> WordCount.main(new String[] {file.toString()})))
        .containsSubsequence("three 300000", "two 200000", "one 100000");
  }

  @Test
  void echo_answersInBothStyles() throws Exception {
    assertThat(outputOf(() -> Echo.main(new String[0])))
        .contains("direct: hello", "stackless: hello again");
  }

  @Test
  void connectionPool_makesThreeConnections() throws Exception {
    assertThat(outputOf(() -> ConnectionPool.main(new String[0])))
        .contains("100 answers, the last is 105", "connections: 3");
  }

  @Test
  void rateLimits_makeSomeWaitAndRefuseOthers() throws Exception {
    assertThat(outputOf(() -> RateLimits.main(new String[0])))
        .contains("at least 98 ms: true", "ann was served 3 times of 10, ben: ok");
  }

  @Test
  void pubSub_reachesWhoHasSubscribed() throws Exception {
    assertThat(outputOf(() -> PubSub.main(new String[0])))
        .contains("news go to 3", "weather: [sunny]", "late: [it works]")
        .containsSubsequence("news: [it works]", "news: [it works]");
  }

  @Test
  void producerConsumer_neverRunsFarAhead() throws Exception {
    assertThat(outputOf(() -> ProducerConsumer.main(new String[0])))
        .contains("300 items, sum 15150", "ahead: true");
  }

  @Test
  void configReload_followsTheFile() throws Exception {
    assertThat(outputOf(() -> ConfigReload.main(new String[0])))
        .contains("3 workers say bye", "used the last one"); // who is slow misses those between
  }

  @Test
  void supervisedWorkers_areStartedAgain() throws Exception {
    assertThat(outputOf(() -> SupervisedWorkers.main(new String[0])))
        .contains(
            "started again: job 7 broke", "job 47 broke", "job 87 broke", "97 jobs were done");
  }

  @Test
  @dev.blitz.testkit.LeakChecked(ignoreThreads = "blitz-parallel.*")
  void offload_computesWhileOthersGoOn() throws Exception {
    assertThat(outputOf(() -> Offload.main(new String[0])))
        .contains("primes: [25, 1229, 78498]", "one more: 169", "went on: true", "given up: true");
  }

  @Test
  @dev.blitz.testkit.LeakChecked(ignoreThreads = "blitz-parallel.*")
  void logAnalyser_countsRequests() throws Exception {
    assertThat(outputOf(() -> LogAnalyser.main(new String[0])))
        .contains("50000 requests, 500 errors, 50000000 bytes")
        .containsSubsequence("/ 28572", "/news 14286", "/about 7142");
  }

  @Test
  @dev.blitz.testkit.LeakChecked(ignoreThreads = "blitz-parallel.*")
  void numbers_areRight() throws Exception {
    assertThat(outputOf(() -> MonteCarlo.main(new String[0])))
        .contains("pi is about 3.14", "worth about 8.0");
    assertThat(outputOf(() -> MatrixMultiply.main(new String[0]))).contains("the same: true");
    assertThat(outputOf(() -> NBody.main(new String[0]))).contains("kept: true");
  }
}
