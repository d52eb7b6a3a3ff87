package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SleepCountersTest {
  @ParameterizedTest
  @CsvSource({"0,0,0", "1,2,1", "-1,65535,65535", "2147483647,1024,0", "-2147483648,3,3"})
  void pack_roundTrips(int events, int inactive, int sleeping) {
    long word = SleepCounters.pack(events, inactive, sleeping);
    assertThat(SleepCounters.events(word)).isEqualTo(events);
    assertThat(SleepCounters.inactive(word)).isEqualTo(inactive);
    assertThat(SleepCounters.sleeping(word)).isEqualTo(sleeping);
    assertThat(SleepCounters.awakeIdle(word)).isEqualTo(inactive - sleeping);
    assertThat(SleepCounters.isSleepy(word)).isEqualTo(events % 2 == 0);
  }

  @Test
  void fresh_isActive() {
    var counters = new SleepCounters(1);
    assertThat(SleepCounters.isSleepy(counters.read())).isFalse();
    assertThat(counters.toString()).contains("JEC 1 active").contains("sleeping 0");
  }

  @Test
  void announce_makesEven_andOnlyOnce() {
    var counters = new SleepCounters(1);
    int snapshot = counters.announceSleepy();
    assertThat(snapshot).isEqualTo(2);
    assertThat(counters.announceSleepy()).isEqualTo(2);
    assertThat(counters.toString()).contains("JEC 2 sleepy");
  }

  @Test
  void post_makesOdd_andOnlyOnce() {
    var counters = new SleepCounters(1);
    int snapshot = counters.announceSleepy();
    assertThat(SleepCounters.events(counters.post())).isEqualTo(snapshot + 1);
    assertThat(SleepCounters.events(counters.post())).isEqualTo(snapshot + 1);
  }

  @Test
  void tryAddSleeping_afterAPost_isRefused() {
    var counters = new SleepCounters(1);
    int snapshot = counters.announceSleepy();
    counters.post();
    assertThat(counters.tryAddSleeping(snapshot)).isFalse();
    counters.announceSleepy();
    assertThat(counters.tryAddSleeping(snapshot)).isFalse();
    assertThat(SleepCounters.sleeping(counters.read())).isZero();
  }

  @Test
  void tryAddSleeping_withoutAPost_counts() {
    var counters = new SleepCounters(1);
    counters.addInactive();
    int snapshot = counters.announceSleepy();
    assertThat(counters.tryAddSleeping(snapshot)).isTrue();
    assertThat(SleepCounters.awakeIdle(counters.read())).isZero();
    counters.subSleeping();
    assertThat(SleepCounters.inactive(counters.subInactive())).isZero();
    assertThat(SleepCounters.sleeping(counters.read())).isZero();
  }

  @Test
  void events_wrapWithoutTouchingTheCounts() {
    var counters = new SleepCounters(-1);
    counters.addInactive();
    assertThat(counters.announceSleepy()).isZero();
    assertThat(SleepCounters.inactive(counters.read())).isEqualTo(1);
    assertThat(SleepCounters.events(counters.post())).isEqualTo(1);
  }
}
