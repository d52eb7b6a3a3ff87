package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.direct.ChildJvm;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Waker;
import dev.blitz.io.policy.FatalErrorPolicy;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each policy holds wherever code of the user's throws an error of the virtual machine. */
@Strict
class FatalErrorPolicyTest {

  /** A place where a runtime runs code of the user's, made to throw. */
  enum Place {
    POLL {
      @Override
      @Nullable JoinHandle<?> fail(BlitzRuntime rt) {
        return rt.spawn(
            (Future<Done>)
                cx -> {
                  throw error();
                });
      }
    },
    DIRECT {
      @Override
      @Nullable JoinHandle<?> fail(BlitzRuntime rt) {
        return rt.spawn(() -> {
          throw error();
        });
      }
    },
    BLOCKING {
      @Override
      @Nullable JoinHandle<?> fail(BlitzRuntime rt) {
        return rt.spawnBlocking(() -> {
          throw error();
        });
      }
    },
    MANDATORY_BLOCKING {
      @Override
      @Nullable JoinHandle<?> fail(BlitzRuntime rt) {
        return rt.spawnMandatoryBlocking(() -> {
          throw error();
        });
      }
    },
    COMMAND {
      @Override
      @Nullable JoinHandle<?> fail(BlitzRuntime rt) {
        rt.executor()
            .execute(() -> {
              throw error();
            });
        return null;
      }
    },
    DROP {
      @Override
      @Nullable JoinHandle<?> fail(BlitzRuntime rt) {
        var task = rt.spawn(new FailingDrop());
        Await.until(() -> !rt.dump().isEmpty(), "the task to be idle");
        task.cancel();
        return null;
      }
    },
    WAKER {
      @Override
      @Nullable JoinHandle<?> fail(BlitzRuntime rt) {
        var gate = new CompletableFuture<Done>();
        JoinHandle<Done> task = rt.spawn(Futures.from(gate));
        Context cx =
            new Context() {
              @Override
              public Waker waker() {
                return () -> {
                  throw error();
                };
              }

              @Override
              public boolean proceed() {
                return true;
              }
            };
        task.poll(cx);
        gate.complete(Done.DONE);
        return null;
      }
    },
    THREAD_HOOK {
      @Override
      RuntimeBuilder builder() {
        return BlitzRuntime.builder()
            .onThreadStart(t -> {
              throw error();
            });
      }

      @Override
      @Nullable JoinHandle<?> fail(BlitzRuntime rt) {
        rt.spawn(Futures.pending());
        return null;
      }
    };

    RuntimeBuilder builder() {
      return BlitzRuntime.builder();
    }

    /** The task whose handle must show the error, if it is one of a task. */
    abstract @Nullable JoinHandle<?> fail(BlitzRuntime rt);

    static InternalError error() {
      return new InternalError("made up");
    }
  }

  private static final class FailingDrop implements Future<Done> {
    @Override
    public @Nullable Done poll(Context cx) {
      return null;
    }

    @Override
    public void drop() {
      throw Place.error();
    }
  }

  private final List<Throwable> told = new CopyOnWriteArrayList<>();

  private BlitzRuntime runtime(Place place, FatalErrorPolicy policy) {
    return place
        .builder()
        .workers(1)
        .uncaughtHandler((what, t) -> told.add(t))
        .onFatalError(policy)
        .build();
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void failTask_tellsOnce_andTheRuntimeGoesOn(Place place) throws Exception {
    try (var rt = runtime(place, FatalErrorPolicy.FAIL_TASK)) {
      JoinHandle<?> failed = place.fail(rt);
      if (failed != null) {
        assertThatThrownBy(failed::await).hasRootCauseInstanceOf(InternalError.class);
      }
      Await.until(() -> !told.isEmpty(), "the handler to be told");
      assertThat(rt.<Integer>run(Futures.ready(1))).isEqualTo(1);
    }
    assertThat(told).singleElement().isInstanceOf(InternalError.class);
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void failTask_whoseHandleNobodyUses_isToldOnce(Place place) {
    try (var rt = runtime(place, FatalErrorPolicy.FAIL_TASK)) {
      JoinHandle<?> failed = place.fail(rt);
      if (failed != null) {
        failed.detach();
      }
      Await.until(() -> !told.isEmpty(), "the handler to be told");
    }
    assertThat(told).singleElement().isInstanceOf(InternalError.class);
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void closeRuntime_cancelsAll_andRefusesMore(Place place) {
    var rt = runtime(place, FatalErrorPolicy.CLOSE_RUNTIME);
    try {
      JoinHandle<Object> other = place == Place.THREAD_HOOK ? null : rt.spawn(Futures.pending());
      if (other != null) {
        Await.until(() -> !rt.dump().isEmpty(), "the other task to be idle");
      }
      place.fail(rt);
      Await.until(() -> refuses(rt), "the runtime to take no more tasks");
      Await.until(() -> other == null || other.isDone(), "the other task's end");
      assertThat(told).contains(told.getFirst()).first().isInstanceOf(InternalError.class);
    } finally {
      assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    }
  }

  private static boolean refuses(BlitzRuntime rt) {
    try {
      rt.spawnBlocking(() -> 1);
      return false;
    } catch (RejectedExecutionException e) {
      return true;
    }
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void haltJvm_halts(Place place) throws Exception {
    var result = ChildJvm.run(Halting.class, "-Dplace=" + place);
    assertThat(result.exit()).as(result.output()).isEqualTo(134);
    assertThat(result.output()).contains("told of java.lang.InternalError: made up");
  }

  @Test
  void stackOverflow_isAnOrdinaryFailure_underEachPolicy() throws Exception {
    for (var policy : FatalErrorPolicy.values()) {
      try (var rt = runtime(Place.POLL, policy)) {
        var task =
            rt.spawn(
                (Future<Done>)
                    cx -> {
                      throw new StackOverflowError("deep");
                    });
        assertThatThrownBy(task::await).hasCauseInstanceOf(StackOverflowError.class);
        assertThat(rt.<Integer>run(Futures.ready(1))).isEqualTo(1);
      }
    }
    assertThat(told).isEmpty();
  }

  @Test
  void anUncaughtHandlerThatThrowsOne_closesTheRuntimeToo() {
    var rt =
        BlitzRuntime.builder()
            .workers(1)
            .uncaughtHandler((what, t) -> {
              throw Place.error();
            })
            .onFatalError(FatalErrorPolicy.CLOSE_RUNTIME)
            .build();
    try (var log = new LogCapture()) {
      rt.spawn(Futures.failed(new Exception("ordinary"))).detach();
      Await.until(() -> refuses(rt), "the runtime to take no more tasks");
      assertThat(log.messages()).isNotEmpty();
    } finally {
      assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    }
  }

  /** Halts, or ends with another code. */
  static final class Halting {
    private Halting() {}

    public static void main(String[] args) throws InterruptedException {
      var place = Place.valueOf(System.getProperty("place"));
      var rt =
          place
              .builder()
              .workers(1)
              .uncaughtHandler((what, t) -> {
                System.out.println("told of " + t);
                System.out.flush();
              })
              .onFatalError(FatalErrorPolicy.HALT_JVM)
              .build();
      place.fail(rt);
      Thread.sleep(Timeouts.MEDIUM);
      System.exit(1);
    }
  }
}
