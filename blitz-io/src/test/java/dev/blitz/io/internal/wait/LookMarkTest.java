package dev.blitz.io.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.DeepStack;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is told by a {@link LastLook} that it is under way, and when it is over. */
@Strict
@OnceIsEnough
class LookMarkTest {
  private final AtomicInteger wakes = new AtomicInteger();
  private final Context cx = Context.of(wakes::incrementAndGet);

  private static <T> T elsewhere(java.util.concurrent.Callable<T> question) throws Exception {
    var answer = new CompletableFuture<T>();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                answer.complete(question.call());
              } catch (Throwable t) {
                answer.completeExceptionally(t);
              }
            });
    thread.join();
    return answer.get(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Also one that blocks is nobody else's affair. */
  @Test
  void itIsUnderWay_forTheThreadThatLooksAlone() throws Exception {
    Future<Boolean> looked =
        polled -> LastLook.isUnderWay() && !elsewhere(() -> LastLook.isUnderWay());
    assertThat(new LastLook().poll(looked, cx)).isTrue();
    assertThat(LastLook.isUnderWay()).isFalse();
    Future<Boolean> failing =
        polled -> {
          throw new IOException("as it happens");
        };
    try {
      new LastLook().poll(failing, cx);
    } catch (IOException e) {
      assertThat(LastLook.isUnderWay()).isFalse();
    }
  }

  @Test
  void onItsWay_isNotOver_alsoForTheLookAround() throws Exception {
    var inner = new LastLook();
    var outer = new LastLook();
    Future<Integer> coming =
        polled -> {
          LastLook.onItsWay();
          return null;
        };
    Future<Integer> nested = polled -> inner.poll(coming, polled);
    assertThat(outer.poll(nested, cx)).isNull();
    assertThat(inner.isOver()).isFalse();
    assertThat(outer.isOver()).isFalse();
    Future<Integer> nothing = polled -> inner.poll(there -> null, polled);
    assertThat(outer.poll(nothing, cx)).isNull();
    assertThat(inner.isOver()).isTrue();
    assertThat(outer.isOver()).isTrue();
    LastLook.onItsWay(); // to nobody
    assertThat(outer.isOver()).isTrue();
  }

  @Test
  void aWakeInThePoll_isPassedOn_andTheLookIsNotOver() throws Exception {
    var look = new LastLook();
    Future<Integer> restless =
        polled -> {
          polled.waker().wake();
          return null;
        };
    assertThat(look.poll(restless, cx)).isNull();
    assertThat(wakes).hasValue(1);
    assertThat(look.isOver()).isFalse();
  }

  /** Such as one that reads on for a subscriber: the look would wait for a wake of another's. */
  @Test
  void whatAWakerPolls_isNotLookedAt() throws Exception {
    var look = new LastLook();
    var wasUnderWay = new ArrayList<Boolean>();
    Future<Integer> waking =
        polled -> {
          SafeCalls.wake(() -> {
            wasUnderWay.add(LastLook.isUnderWay());
            LastLook.onItsWay();
          });
          wasUnderWay.add(LastLook.isUnderWay());
          return null;
        };
    assertThat(look.poll(waking, cx)).isNull();
    assertThat(wasUnderWay).containsExactly(false, true);
    assertThat(look.isOver()).isTrue();
  }

  /** It wakes the thread that waits, not the look. */
  @Test
  void whatAPollAwaits_isNotLookedAt() throws Exception {
    var look = new LastLook();
    var wasUnderWay = new ArrayList<Boolean>();
    Future<Integer> awaited =
        polled -> {
          wasUnderWay.add(LastLook.isUnderWay());
          LastLook.onItsWay();
          return 7;
        };
    Future<Integer> blocking =
        polled -> {
          assertThat(awaited.await()).isEqualTo(7);
          wasUnderWay.add(LastLook.isUnderWay());
          return null;
        };
    assertThat(look.poll(blocking, cx)).isNull();
    assertThat(wasUnderWay).containsExactly(false, true);
    assertThat(look.isOver()).isTrue();
  }

  /** A time-out that is over drops it in the same poll, and then something else is waited for. */
  @Test
  void whatWasOnItsWay_andIsNotWaitedForAnyMore_isOver() throws Exception {
    var look = new LastLook();
    var polls = new AtomicInteger();
    Future<Integer> givenUp =
        polled -> {
          if (polls.getAndIncrement() == 0) {
            LastLook.onItsWay();
          }
          return null;
        };
    assertThat(look.poll(givenUp, cx)).isNull();
    assertThat(look.isOver()).isTrue();
  }

  @Test
  void whatIsWokenWhileItIsOnItsWay_isPolledByItsTask() throws Exception {
    var look = new LastLook();
    var polls = new AtomicInteger();
    Future<Integer> coming =
        polled -> {
          LastLook.onItsWay();
          polled.waker().wake();
          polls.incrementAndGet();
          return null;
        };
    assertThat(look.poll(coming, cx)).isNull();
    assertThat(polls).hasValue(1);
    assertThat(look.isOver()).isFalse();
  }

  @Test
  void aRefusedBudget_isNotOver() throws Exception {
    var spent =
        new Context() {
          @Override
          public dev.blitz.io.future.Waker waker() {
            return cx.waker();
          }

          @Override
          public boolean proceed() {
            return false;
          }
        };
    for (boolean charged : new boolean[] {true, false}) {
      var look = new LastLook();
      Future<Integer> refused =
          polled -> {
            assertThat(charged ? polled.proceed() : polled.mayProceed()).isFalse();
            return null;
          };
      assertThat(look.poll(refused, spent)).isNull();
      assertThat(look.isOver()).isFalse();
    }
  }

  /**
   * Has the class again, as it is before anybody has used it. Its bytes have been read before: a
   * file that is opened at the end of a stack may stay open.
   */
  private static final class Fresh extends ClassLoader {
    private static final Map<String, byte[]> READ = read();

    Fresh() {
      super(LastLook.class.getClassLoader());
    }

    private static Map<String, byte[]> read() {
      Map<String, byte[]> read = new HashMap<>();
      read.put(LastLook.class.getName(), bytesOf(LastLook.class));
      for (Class<?> inner : LastLook.class.getDeclaredClasses()) {
        read.put(inner.getName(), bytesOf(inner));
      }
      return read;
    }

    private static byte[] bytesOf(Class<?> type) {
      String file = '/' + type.getName().replace('.', '/') + ".class";
      try (InputStream in = type.getResourceAsStream(file)) {
        return in.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      byte[] bytes = READ.get(name);
      if (bytes == null) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known != null ? known : defineClass(name, bytes, 0, bytes.length);
    }
  }

  /** Whoever asks first may be at the end of its stack: those after it must be answered. */
  @Test
  void theFirstQuestion_atTheEndOfTheStack_breaksNothing() throws Throwable {
    for (int round = 0; round < 10; round++) {
      MethodHandle isUnderWay = asks(new Fresh());
      DeepStack.climb(400, level -> ask(isUnderWay));
      assertThat(ask(isUnderWay)).isFalse();
    }
  }

  private static MethodHandle asks(Fresh classes) throws Exception {
    Class<?> fresh = classes.loadClass(LastLook.class.getName());
    return MethodHandles.publicLookup()
        .findStatic(fresh, "isUnderWay", MethodType.methodType(boolean.class));
  }

  private static boolean ask(MethodHandle isUnderWay) {
    try {
      return (boolean) isUnderWay.invokeExact();
    } catch (Error e) {
      throw e;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  /** Nor does a first look there. */
  @Test
  void theFirstLook_atTheEndOfTheStack_breaksNoneAfterIt() throws Exception {
    for (int round = 0; round < 10; round++) {
      Class<?> fresh = new Fresh().loadClass(LastLook.class.getName());
      var ends = new AtomicInteger();
      var once =
          new Future<Integer>() {
            @Override
            public @Nullable Integer poll(Context polled) {
              ends.incrementAndGet();
              return 7;
            }

            @Override
            public void drop() {
              ends.incrementAndGet();
            }
          };
      var lookup = MethodHandles.publicLookup();
      MethodHandle made =
          lookup
              .findConstructor(fresh, MethodType.methodType(void.class))
              .asType(MethodType.methodType(Object.class));
      MethodHandle poll =
          lookup
              .findVirtual(
                  fresh, "poll", MethodType.methodType(Object.class, Future.class, Context.class))
              .asType(
                  MethodType.methodType(Object.class, Object.class, Future.class, Context.class));
      Object look = made(made);
      DeepStack.climb(600, level -> poll(poll, look, once));
      ends.set(0);
      assertThat(poll(poll, look, once)).isEqualTo(7);
      assertThat(ends).hasValue(1);
    }
  }

  private static Object made(MethodHandle handle) {
    try {
      return (Object) handle.invokeExact();
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  private static @Nullable Object poll(MethodHandle poll, Object look, Future<Integer> future) {
    try {
      return (Object) poll.invokeExact(look, (Future<?>) future, NOBODY);
    } catch (Error e) {
      throw e;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  private static final Context NOBODY = Context.of(() -> {});
}
