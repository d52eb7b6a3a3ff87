package dev.blitz.io.process;

import dev.blitz.io.internal.services.Services;
import dev.blitz.io.signal.Signal;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;

/** A child that the JDK has started and waits for. */
final class JdkProcess extends Running {
  private final Services services;
  private final Process process;

  JdkProcess(Services services, Process process, CommandSpec spec, boolean first, boolean last) {
    this.services = services;
    this.process = process;
    if (first && spec.stdin() == Stdio.pipe()) {
      stdin = BlockingStream.to(services, process.getOutputStream(), "stdin");
    }
    if (last && spec.stdout() == Stdio.pipe()) {
      stdout = BlockingStream.from(services, process.getInputStream(), "stdout");
    }
    if (spec.stderr() == Stdio.pipe()) {
      stderr = BlockingStream.from(services, process.getErrorStream(), "stderr");
    }
    var _ = process.onExit().thenAccept(p -> status.complete(ExitStatus.ofJdk(p.exitValue())));
  }

  /**
   * What the JDK can do at once is done at once. Others are sent by a program, and descendants are
   * found by looking at all processes: by a thread of the runtime, a moment later.
   */
  @Override
  boolean signal(Signal signal, boolean group) throws IOException {
    ProcessHandle self = process.toHandle();
    if (!self.isAlive()) {
      return false;
    }
    if (!group && isQuick(signal)) {
      return send(signal, self);
    }
    if (!isQuick(signal) && File.separatorChar != '/') {
      throw new UnsupportedOperationException("this system does not know SIG" + signal);
    }
    try {
      services.signalProcess(() -> sendToAll(signal, group)).detach();
    } catch (RejectedExecutionException closing) {
      sendToAll(signal, group);
    }
    return true;
  }

  private static boolean isQuick(Signal signal) {
    return signal == Signal.KILL || signal == Signal.TERM;
  }

  /** Its descendants are known as long as it lives: they are looked for first. */
  private boolean sendToAll(Signal signal, boolean group) throws IOException {
    List<ProcessHandle> others = group ? process.descendants().toList() : List.of();
    boolean sent = send(signal, process.toHandle());
    for (ProcessHandle other : others) {
      sent |= send(signal, other);
    }
    return sent;
  }

  private static boolean send(Signal signal, ProcessHandle to) throws IOException {
    return switch (signal) {
      case KILL -> to.isAlive() && to.destroyForcibly();
      case TERM -> to.isAlive() && to.destroy();
      default -> to.isAlive() && sendByProgram(signal, to);
    };
  }

  /** The JDK sends no others. Waits for the program. */
  private static boolean sendByProgram(Signal signal, ProcessHandle to) throws IOException {
    Process kill =
        new ProcessBuilder("kill", "-s", signal.name(), Long.toString(to.pid()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return kill.waitFor() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true; // it has been started
    }
  }

  @Override
  void undo() throws IOException {
    try {
      sendToAll(Signal.KILL, true);
    } finally {
      closePipes();
    }
  }

  @Override
  long pid() {
    return process.pid();
  }

  @Override
  public String toString() {
    return Objects.toString(process);
  }
}
