//! HTTP by hand: a request a connection, so that any of them can be cut.

use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};

use super::PATIENCE;

/// An answer whose body is still to be read.
pub struct Answer {
    /// The status.
    pub status: u16,
    headers: Vec<(String, String)>,
    body: Body,
}

/// The rest of a connection.
struct Body {
    reader: BufReader<TcpStream>,
    left: Left,
}

/// How a body ends.
enum Left {
    /// After so many bytes.
    Bytes(u64),
    /// By chunks: so much is left of this one.
    Chunk(u64),
    /// It has ended.
    Nothing,
    /// With the connection.
    Everything,
}

/// Cuts a connection from outside.
pub struct Cut(TcpStream);

impl Cut {
    /// Cuts it.
    pub fn cut(&self) {
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

/// Sends a request; waits for the head of its answer.
///
/// # Errors
///
/// The connection breaks.
pub fn send(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> io::Result<(Answer, Cut)> {
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let cut = Cut(stream.try_clone()?);
    let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
    if !headers.iter().any(|(name, _)| name == "host") {
        head += &format!("host: {address}\r\n");
    }
    for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
        head += &format!("{name}: {value}\r\n");
    }
    if method == "POST" {
        head += &format!("content-length: {}\r\n", body.len());
    }
    head += "\r\n";
    let mut whole = head.into_bytes();
    whole.extend_from_slice(body);
    // A server that refuses need not read it all.
    let _ = (&stream).write_all(&whole);
    let mut reader = BufReader::new(stream);
    let status = line(&mut reader)?;
    let status = status.split(' ').nth(1).and_then(|number| number.parse().ok());
    let status = status.ok_or_else(|| io::Error::other("no status"))?;
    let mut headers = Vec::new();
    loop {
        let line = line(&mut reader)?;
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
    }
    let of = |wanted: &str| headers.iter().find(|(name, _)| name == wanted).map(|(_, v)| v.clone());
    let left = match (of("transfer-encoding").as_deref(), of("content-length")) {
        (Some("chunked"), _) => Left::Chunk(0),
        (_, Some(length)) => Left::Bytes(length.parse().map_err(io::Error::other)?),
        _ => Left::Everything,
    };
    Ok((Answer { status, headers, body: Body { reader, left } }, cut))
}

impl Answer {
    /// A header by its name in lower case; empty if there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The whole body.
    ///
    /// # Errors
    ///
    /// The connection breaks.
    pub fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.body.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The next block of an event stream, without the empty line that ends it; none at the end.
    pub fn block(&mut self, text: &mut Vec<u8>) -> Option<String> {
        loop {
            if let Some(end) = text.windows(2).position(|pair| pair == b"\n\n") {
                let rest = text.split_off(end + 2);
                let block = std::mem::replace(text, rest);
                return Some(String::from_utf8_lossy(&block).trim_end().to_owned());
            }
            let mut more = [0; 8192];
            match self.body.read(&mut more) {
                Ok(0) | Err(_) => return None,
                Ok(read) => text.extend_from_slice(&more[..read]),
            }
        }
    }
}

impl Read for Body {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.left {
            Left::Nothing => 0,
            Left::Everything => self.reader.read(into)?,
            Left::Bytes(left) => {
                let read = (&mut self.reader).take(*left).read(into)?;
                *left -= read as u64;
                if read == 0 && *left > 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                read
            }
            Left::Chunk(left) => {
                if *left == 0 {
                    let size = line(&mut self.reader)?;
                    *left = u64::from_str_radix(size.trim(), 16).map_err(io::Error::other)?;
                    if *left == 0 {
                        self.left = Left::Nothing;
                        return Ok(0);
                    }
                }
                let read = (&mut self.reader).take(*left).read(into)?;
                *left -= read as u64;
                if read == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                if *left == 0 {
                    line(&mut self.reader)?;
                }
                read
            }
        };
        Ok(read)
    }
}

fn line(reader: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
