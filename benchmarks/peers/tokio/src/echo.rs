//! An echo server: a task per connection, one worker. Prints `port N`.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Builder;

const BUFFER_BYTES: usize = 16 * 1024;

pub fn serve() {
    let rt = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_io()
        .build()
        .expect("runtime");
    rt.block_on(async {
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

async fn echo(mut stream: TcpStream) {
    let mut buffer = vec![0; BUFFER_BYTES];
    while let Ok(n @ 1..) = stream.read(&mut buffer).await {
        if stream.write_all(&buffer[..n]).await.is_err() {
            return;
        }
    }
}
