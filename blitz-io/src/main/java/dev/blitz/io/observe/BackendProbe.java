package dev.blitz.io.observe;

/**
 * What looking for one I/O backend on this machine found.
 *
 * {@snippet :
 * for (BackendProbe probe : Blitz.backends()) {
 *   System.out.println(probe);
 * }
 * }
 *
 * @param name the backend, such as {@code io_uring}
 * @param available whether this process may use it
 * @param detail its features when available, otherwise the reason why not
 */
public record BackendProbe(String name, boolean available, String detail) {

  @Override
  public String toString() {
    return name + (available ? ": available, " : ": not available, ") + detail;
  }
}
