package dev.blitz.io.internal.base;

/**
 * Prints how many bytes of stack each check of {@link StackRoom} demands: recurses to the end and
 * asks at each level of the way back until there is room. The recursion itself is interpreted.
 */
final class StackRoomProgram {
  private static final int CALLS_UNTIL_COMPILED = 200_000;
  private static final int STACK = 512 << 10;

  private static Runnable check = () -> {};
  private static boolean asking;
  private static int refused;
  private static int depth;

  private StackRoomProgram() {}

  public static void main(String[] args) throws Exception {
    int small = depth(STACK);
    int frame = STACK / (depth(2 * STACK) - small);
    System.out.println("step " + refusals(StackRoom::forStep) * frame);
    System.out.println("wake " + refusals(StackRoom::forWake) * frame);
    System.out.println("calls " + refusals(StackRoom::forCalls) * frame);
    System.out.println("many " + refusals(StackRoom::forMany) * frame);
    System.out.println("owner " + refusals(StackRoom::forOwner) * frame);
  }

  private static int depth(int stack) throws Exception {
    descend(stack);
    return depth;
  }

  private static int refusals(Runnable room) throws Exception {
    for (int i = 0; i < CALLS_UNTIL_COMPILED; i++) {
      room.run();
    }
    check = room;
    asking = true;
    descend(STACK);
    return refused;
  }

  private static void descend(int stack) throws Exception {
    refused = 0;
    depth = 0;
    var thread =
        new Thread(
            null,
            () -> {
              try {
                recurse();
              } catch (StackOverflowError e) {
                // What it is about.
              }
            },
            "recursing",
            stack);
    thread.start();
    thread.join();
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private static void recurse() {
    depth++;
    try {
      recurse();
    } finally {
      if (asking) {
        ask();
      }
    }
  }

  private static void ask() {
    try {
      check.run();
      asking = false;
    } catch (StackOverflowError e) {
      refused++;
    }
  }
}
