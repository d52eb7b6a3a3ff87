package dev.blitz.examples;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.array.SeededRandom;
import java.util.Locale;

/**
 * Bodies that pull each other: every step computes all forces in parallel, then moves all bodies.
 * Energy is kept, which shows that nothing is lost between the cores.
 *
 * <p>Shows: parallel loops inside a plain loop, a sum that is the same on any machine. Run: {@code
 * ./blitz example NBody 2000}.
 */
public final class NBody {
  private static final double STEP = 1e-4;
  private static final double SOFTENING = 1e-2;

  private final int count;
  private final double[][] place;
  private final double[][] speed;

  private NBody(int count) {
    this.count = count;
    this.place = new double[3][count];
    this.speed = new double[3][count];
    for (int axis = 0; axis < 3; axis++) {
      SeededRandom.of(axis).fill(place[axis]);
    }
  }

  /** Prints the energy before and after a hundred steps; the argument is the number of bodies. */
  public static void main(String[] args) {
    var bodies = new NBody(args.length > 0 ? Integer.parseInt(args[0]) : 200);
    double before = bodies.energy();
    for (int step = 0; step < 100; step++) {
      bodies.step();
    }
    double after = bodies.energy();
    IO.println(String.format(Locale.ROOT, "energy before %.6f, after %.6f", before, after));
    IO.println("kept: " + (Math.abs(after - before) < 1e-3 * Math.abs(before)));
  }

  private void step() {
    Parallel.parallelFor(0, count, this::accelerate); // places are only read
    Parallel.parallelFor(0, count, this::move);
  }

  private void accelerate(int body) {
    double ax = 0;
    double ay = 0;
    double az = 0;
    for (int other = 0; other < count; other++) {
      double dx = place[0][other] - place[0][body];
      double dy = place[1][other] - place[1][body];
      double dz = place[2][other] - place[2][body];
      double squared = dx * dx + dy * dy + dz * dz + SOFTENING;
      double pull = 1 / (count * squared * Math.sqrt(squared));
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    speed[0][body] += ax * STEP;
    speed[1][body] += ay * STEP;
    speed[2][body] += az * STEP;
  }

  private void move(int body) {
    for (int axis = 0; axis < 3; axis++) {
      place[axis][body] += speed[axis][body] * STEP;
    }
  }

  private double energy() {
    return Parallel.range(0, count).mapToDouble(this::energyOf).sum();
  }

  private double energyOf(int body) {
    double energy = 0;
    for (int axis = 0; axis < 3; axis++) {
      energy += speed[axis][body] * speed[axis][body] / 2;
    }
    for (int other = 0; other < body; other++) {
      double squared = SOFTENING;
      for (int axis = 0; axis < 3; axis++) {
        double distance = place[axis][other] - place[axis][body];
        squared += distance * distance;
      }
      energy -= 1 / (count * Math.sqrt(squared));
    }
    return energy;
  }
}
