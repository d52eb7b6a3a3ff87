package dev.blitz.parallel;

import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * Random pipelines, every step in any order and every end, against sequential streams: on the
 * caller, in pools of one to eight workers, given a pool, from virtual threads and within loops,
 * short ones and ones that get code of their own. All runs of one must agree, sums of doubles to
 * the bit. Some fail in the middle: then they must throw just that, and leave nobody at work.
 *
 * <p>There is an end to how many loops are spun, and a minute makes more pipelines than that. So
 * some rounds after another all lambdas are loaded anew, and the loops of the old are collected.
 */
public final class PipelineSeededStress implements SeededStress {
  private static final int ROUNDS_OF_A_GENERATION = 16;

  private int rounds;
  private Rounds.Round generation = new PipelineRound();

  /** For the service loader. */
  public PipelineSeededStress() {}

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(
        seed,
        budget,
        random -> {
          if (++rounds % ROUNDS_OF_A_GENERATION == 0) {
            generation = new Generation().round();
            System.gc();
          }
          generation.run(random);
        });
  }

  /** Loads what makes lambdas for pipelines once more. */
  private static final class Generation extends ClassLoader {
    private static final String ROUND = PipelineRound.class.getName();

    Generation() {
      super(PipelineRound.class.getClassLoader());
    }

    Rounds.Round round() throws ReflectiveOperationException {
      var constructor = loadClass(ROUND).getDeclaredConstructor();
      constructor.setAccessible(true);
      return (Rounds.Round) constructor.newInstance();
    }

    private static boolean isOurs(String name) {
      String whole = name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
      return whole.equals(ROUND)
          || whole.equals(RandomPipeline.class.getName())
          || whole.equals(PipelineEnd.class.getName())
          || whole.equals(InnerPipelines.class.getName())
          || whole.equals(Probe.class.getName());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null) {
          return known;
        }
        return isOurs(name) ? define(name) : super.loadClass(name, resolve);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = getParent().getResourceAsStream(file)) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
