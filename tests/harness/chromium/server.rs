//! A web server for one page and a few films: loopback only, HTTP/1.1, one request a connection,
//! byte ranges.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

/// What a request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that runs until it is dropped.
pub(super) struct Server {
    address: SocketAddr,
    /// What the page reports.
    pub(super) reports: Receiver<Vec<u8>>,
    stopping: Arc<AtomicBool>,
}

/// What is served.
struct Site {
    page: &'static str,
    /// The answer to `/films`.
    list: String,
    /// The files of `/film/0` and so on.
    films: Vec<PathBuf>,
    report: Sender<Vec<u8>>,
}

impl Server {
    pub(super) fn start(page: &'static str, list: String, films: Vec<PathBuf>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (report, reports) = mpsc::channel();
        let site = Arc::new(Site { page, list, films, report });
        let stopping = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopping);
        thread::spawn(move || {
            for connection in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let (Ok(connection), site) = (connection, Arc::clone(&site)) else { continue };
                // A browser hangs up in the middle of a film whenever it has seen enough.
                thread::spawn(move || site.answer(connection).ok());
            }
        });
        Self { address, reports, stopping }
    }

    pub(super) fn page(&self) -> String {
        format!("http://{}/", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts.
        let _ = TcpStream::connect(self.address);
    }
}

impl Site {
    fn answer(&self, connection: TcpStream) -> io::Result<()> {
        connection.set_read_timeout(Some(PATIENCE))?;
        connection.set_write_timeout(Some(PATIENCE))?;
        let mut reader = BufReader::new(connection.try_clone()?);
        let request = Request::read(&mut reader)?;
        let mut to = connection;
        if request.path == "/report" {
            let mut body = vec![0; request.length];
            reader.read_exact(&mut body)?;
            let _ = self.report.send(body);
            return reply(&mut to, "204 No Content", "text/plain", b"");
        }
        if let Some(film) = request.path.strip_prefix("/film/") {
            let file = film.parse().ok().and_then(|number: usize| self.films.get(number));
            return match file {
                Some(file) => send_film(&mut to, file, request.range),
                None => reply(&mut to, "404 Not Found", "text/plain", b""),
            };
        }
        match request.path.as_str() {
            "/" => reply(&mut to, "200 OK", "text/html", self.page.as_bytes()),
            "/films" => reply(&mut to, "200 OK", "application/json", self.list.as_bytes()),
            _ => reply(&mut to, "404 Not Found", "text/plain", b""),
        }
    }
}

/// What matters of a request.
struct Request {
    path: String,
    /// The length of the body.
    length: usize,
    /// The first and last byte that are asked for.
    range: Option<(u64, Option<u64>)>,
}

impl Request {
    fn read(from: &mut impl BufRead) -> io::Result<Self> {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let mut request = Self { path, length: 0, range: None };
        loop {
            line.clear();
            from.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else { return Ok(request) };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => request.length = value.parse().map_err(io::Error::other)?,
                "range" => request.range = range(value),
                _ => {}
            }
        }
    }
}

/// Reads `bytes=FIRST-` or `bytes=FIRST-LAST`, the only forms that browsers use for films.
fn range(value: &str) -> Option<(u64, Option<u64>)> {
    let (first, last) = value.strip_prefix("bytes=")?.split_once('-')?;
    Some((first.parse().ok()?, last.parse().ok()))
}

fn reply(to: &mut impl Write, status: &str, kind: &str, body: &[u8]) -> io::Result<()> {
    let length = body.len();
    write!(
        to,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    to.write_all(body)
}

fn send_film(
    to: &mut impl Write,
    film: &Path,
    range: Option<(u64, Option<u64>)>,
) -> io::Result<()> {
    let mut file = File::open(film)?;
    let size = file.metadata()?.len();
    let (first, last) = range.unwrap_or((0, None));
    let end = last.map_or(size, |last| size.min(last + 1));
    if first >= end {
        return reply(to, "416 Range Not Satisfiable", "text/plain", b"");
    }
    let status = if range.is_some() { "206 Partial Content" } else { "200 OK" };
    let kind = match film.extension().and_then(|extension| extension.to_str()) {
        Some("webm") => "video/webm",
        Some("mov") => "video/quicktime",
        _ => "video/mp4",
    };
    let length = end - first;
    let last = end - 1;
    write!(
        to,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Content-Range: bytes {first}-{last}/{size}\r\nAccept-Ranges: bytes\r\nConnection: close\r\n\r\n"
    )?;
    file.seek(SeekFrom::Start(first))?;
    io::copy(&mut file.take(length), to).map(drop)
}
