package dev.blitz.io.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class RwLockTest {

  private static void assertFree(RwLock lock) {
    assertThat(lock).hasToString("RwLock[free]");
    assertThat(lock.waiting.isEmpty()).isTrue();
    assertThat(lock.tryWrite()).isTrue();
    lock.unlockWrite();
  }

  @Test
  void readers_share_andWritersExclude() {
    var lock = RwLock.create();
    assertThat(lock.tryRead()).isTrue();
    assertThat(lock.tryRead()).isTrue();
    assertThat(lock).hasToString("RwLock[2 reading]");
    assertThat(lock.tryWrite()).isFalse();
    lock.unlockRead();
    lock.unlockRead();
    assertThat(lock.tryWrite()).isTrue();
    assertThat(lock).hasToString("RwLock[writing]");
    assertThat(lock.tryRead()).isFalse();
    assertThat(lock.tryWrite()).isFalse();
    lock.unlockWrite();
    assertFree(lock);
  }

  @Test
  void waitingWriter_holdsNewReadersBack() {
    var lock = RwLock.create();
    assertThat(lock.tryRead()).isTrue();
    var waker = new Polls();
    var writer = lock.write();
    var reader = lock.read();
    assertThat(waker.poll(writer)).isNull();
    assertThat(lock.tryRead()).isFalse();
    assertThat(waker.poll(reader)).isNull();
    lock.unlockRead();
    assertThat(waker.wakes()).isEqualTo(1);
    assertThat(waker.poll(reader)).isNull();
    Polls.now(writer).close();
    Polls.now(reader).close();
    assertFree(lock);
  }

  @Test
  void waitingReaders_comeInTogether_untilTheNextWriter() {
    var lock = RwLock.create();
    assertThat(lock.tryWrite()).isTrue();
    var waker = new Polls();
    var r1 = lock.read();
    var r2 = lock.read();
    var writer = lock.write();
    var r3 = lock.read();
    assertThat(waker.poll(r1)).isNull();
    assertThat(waker.poll(r2)).isNull();
    assertThat(waker.poll(writer)).isNull();
    assertThat(waker.poll(r3)).isNull();
    lock.unlockWrite();
    assertThat(waker.wakes()).isEqualTo(2);
    Polls.now(r1).close();
    assertThat(waker.poll(writer)).isNull();
    Polls.now(r2).close();
    Polls.now(writer).close();
    Polls.now(r3).close();
    assertFree(lock);
  }

  @Test
  void droppedWriter_letsTheReadersBehindItIn() {
    var lock = RwLock.create();
    assertThat(lock.tryRead()).isTrue();
    var waker = new Polls();
    var writer = lock.write();
    var reader = lock.read();
    assertThat(waker.poll(writer)).isNull();
    assertThat(waker.poll(reader)).isNull();
    writer.drop();
    assertThat(waker.wakes()).isEqualTo(1);
    Polls.now(reader).close();
    lock.unlockRead();
    assertFree(lock);
  }

  @Test
  void downgrade_letsReadersIn_andNoWriterBetween() {
    var lock = RwLock.create();
    var writing = Polls.now(lock.write());
    var waker = new Polls();
    var reader = lock.read();
    var writer = lock.write();
    assertThat(waker.poll(reader)).isNull();
    assertThat(waker.poll(writer)).isNull();
    var reading = writing.downgrade();
    assertThat(waker.wakes()).as("the reader at the head").isEqualTo(1);
    writing.close();
    assertThat(waker.poll(writer)).isNull();
    Polls.now(reader).close();
    assertThat(waker.poll(writer)).isNull();
    reading.close();
    Polls.now(writer).close();
    assertFree(lock);
    assertThatThrownBy(writing::downgrade)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("downgrade of a guard that is closed already");
  }

  @Test
  void unlock_ofWhatIsNotHeld_isAnError() {
    var lock = RwLock.create("r");
    assertThatThrownBy(lock::unlockRead)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("unlockRead() on RwLock[r, free]: no reader has it");
    assertThatThrownBy(lock::unlockWrite)
        .hasMessage("unlockWrite() on RwLock[r, free]: no writer has it");
    assertThatThrownBy(lock::downgrade)
        .hasMessage("downgrade() on RwLock[r, free]: no writer has it");
    lock.tryRead();
    assertThatThrownBy(lock::unlockWrite).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(lock::downgrade).isInstanceOf(IllegalStateException.class);
    var writer = lock.write();
    assertThat(new Polls().poll(writer)).isNull();
    assertThatThrownBy(lock::unlockWrite).isInstanceOf(IllegalStateException.class);
    lock.unlockRead();
    assertThatThrownBy(lock::unlockRead).as("the writer has it").hasMessageContaining("no reader");
    Polls.now(writer).close();
    lock.tryWrite();
    assertThatThrownBy(lock::unlockRead).isInstanceOf(IllegalStateException.class);
    lock.unlockWrite();
  }

  @Test
  void dropOfAWriter_atEveryPoint_leavesTheLockFree() {
    DropExplorer.explore(() -> {
      var lock = RwLock.create();
      lock.tryRead();
      lock.tryRead();
      return DropExplorer.scenario(lock.write())
          .step("unlock one reader", lock::unlockRead)
          .step("unlock the other", lock::unlockRead)
          .check(end -> {
            end.ifValue(RwLock.WriteGuard::close);
            assertFree(lock);
          });
    });
  }

  @Test
  void dropOfAReader_atEveryPoint_leavesTheLockFree() {
    DropExplorer.explore(() -> {
      var lock = RwLock.create();
      lock.tryWrite();
      var writer = lock.write();
      return DropExplorer.scenario(lock.read())
          .step("a writer waits", () -> assertThat(new Polls().poll(writer)).isNull())
          .step("downgrade", lock::downgrade)
          .step("unlock", lock::unlockRead)
          .step(
              "the writer is through",
              () -> {
                var guard = new Polls().poll(writer);
                if (guard != null) {
                  guard.close();
                }
              })
          .check(end -> {
            end.ifValue(RwLock.ReadGuard::close);
            if (lock.available() != lock.maximum()) {
              Polls.now(writer).close();
            }
            assertFree(lock);
          });
    });
  }

  @Test
  void tasks_readConsistently() {
    try (var rt = BlitzRuntime.builder().workers(4).build()) {
      var lock = RwLock.create();
      int[] pair = {0, 0};
      var torn = new AtomicInteger();
      var tasks = new ArrayList<JoinHandle<?>>();
      for (int t = 0; t < 6; t++) {
        boolean writes = t < 2;
        int[] left = {500};
        tasks.add(
            rt.spawn(
                Futures.loop(() ->
                    writes
                        ? lock.write()
                            .andThen(guard -> {
                              pair[0]++;
                              return Task.yieldNow()
                                  .map(done -> {
                                    pair[1]++;
                                    guard.close();
                                    return again(left);
                                  });
                            })
                        : lock.read()
                            .map(guard -> {
                              if (pair[0] != pair[1]) {
                                torn.incrementAndGet();
                              }
                              guard.close();
                              return again(left);
                            }))));
      }
      tasks.forEach(JoinHandle::await);
      assertThat(torn).hasValue(0);
      assertThat(pair).containsExactly(1_000, 1_000);
      assertFree(lock);
    }
  }

  private static Futures.Step again(int[] left) {
    return --left[0] > 0 ? Futures.Step.MORE : Futures.Step.STOP;
  }

  @Test
  void tryAndUnlock_allocateNothing() {
    var lock = RwLock.create();
    Runnable pairs =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            lock.tryRead();
            lock.unlockRead();
            lock.tryWrite();
            lock.unlockWrite();
          }
        };
    pairs.run();
    assertThat(Memory.allocatedByEach(pairs)).isZero();
  }
}
