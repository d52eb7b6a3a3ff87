package guest;

import dev.blitz.io.net.TcpListener;
import java.io.IOException;

/** Code of a user's that loses what it has opened. */
public final class Careless {
  private Careless() {}

  /** Opens a listener that nobody has; its port. */
  public static int listenAndForget() throws IOException {
    return TcpListener.bind(0).localAddress().getPort();
  }
}
