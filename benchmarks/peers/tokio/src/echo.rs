//! An echo server: a task per connection, one worker. Prints `port N`.

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, UdpSocket, UnixListener};
use tokio::runtime::{Builder, Runtime};

const BUFFER_BYTES: usize = 16 * 1024;

const DATAGRAM_BYTES: usize = 64 * 1024;

fn runtime() -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(1)
        .enable_io()
        .build()
        .expect("runtime")
}

/// One socket answers all.
pub fn serve_udp() {
    runtime().block_on(async {
        let socket = UdpSocket::bind(("127.0.0.1", 0)).await.expect("bind");
        println!("port {}", socket.local_addr().expect("address").port());
        tokio::spawn(async move {
            let mut buffer = vec![0; DATAGRAM_BYTES];
            loop {
                let (n, sender) = socket.recv_from(&mut buffer).await.expect("receive");
                socket.send_to(&buffer[..n], sender).await.expect("send");
            }
        })
        .await
        .expect("echo");
    });
}

/// On a Unix socket in the folder for temporary files, named after the process.
pub fn serve_unix() {
    let id = std::process::id();
    let path = std::env::temp_dir().join(format!("blitz-echo-{id}.socket"));
    let _ = std::fs::remove_file(&path);
    runtime().block_on(async {
        let listener = UnixListener::bind(&path).expect("bind");
        println!("port {id}");
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.expect("accept");
                tokio::spawn(echo(stream));
            }
        })
        .await
        .expect("accept");
    });
}

pub fn serve() {
    runtime().block_on(async {
        let listener = listen();
        println!("port {}", listener.local_addr().expect("address").port());
        tokio::spawn(accept(listener)).await.expect("accept");
    });
}

fn listen() -> TcpListener {
    let socket = TcpSocket::new_v4().expect("socket");
    socket.bind(([127, 0, 0, 1], 0).into()).expect("bind");
    socket.listen(4096).expect("listen")
}

async fn accept(listener: TcpListener) {
    loop {
        let (stream, _) = listener.accept().await.expect("accept");
        stream.set_nodelay(true).expect("nodelay");
        tokio::spawn(echo(stream));
    }
}

async fn echo<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S) {
    let mut buffer = vec![0; BUFFER_BYTES];
    while let Ok(n @ 1..) = stream.read(&mut buffer).await {
        if stream.write_all(&buffer[..n]).await.is_err() {
            return;
        }
    }
}
