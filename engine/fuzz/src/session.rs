//! A whole session with the NBD server of the block device: a handshake, requests with their data, and every byte of the
//! replies, compared with a plain array.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, OnceLock};

use ztera_disk::nbd::wire::{Command, Header, MAX_PAYLOAD, errno};
use ztera_disk::{Config, Denser, Device, Extent, Request, Service, nbd};

/// Bytes of the device: two units and a part of one.
const SIZE: u64 = 2 * 16384 + 5 * 512;

/// Requests of one session at most. They and their replies fit into a socket's buffers, so that nobody waits for the
/// other.
const MOST: usize = 64;

/// One device for all sessions; a session begins by making it zeros.
fn service() -> &'static Arc<Service> {
    static SERVICE: OnceLock<Arc<Service>> = OnceLock::new();
    SERVICE.get_or_init(|| {
        let config = Config {
            size: SIZE,
            unit: ztera_disk::UnitSize::new(16384).expect("a unit's size"),
            memory_limit: None,
            codec: Default::default(),
            denser: Denser::default(),
            threads: 2,
            ssd: None,
            accelerator: None,
        };
        Arc::new(Service::start(Device::new(config).expect("a device"), 2).expect("threads"))
    })
}

/// The first byte: whether replies are structured, and whether requests are sent before replies are read. Then requests, of
/// eight bytes each.
pub fn session(data: &[u8]) {
    let Some((&how, requests)) = data.split_first() else { return };
    let service = service();
    let all = Extent { offset: 0, len: SIZE };
    service.call(Request::Discard(all)).expect("a discard needs no room");
    let (client, server) = UnixStream::pair().expect("two sockets");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // The client may leave in the middle of a message.
            let _ = nbd::attend(&server, service);
            let _ = server.shutdown(std::net::Shutdown::Both);
        });
        let mut client = Client { stream: &client, structured: how & 1 != 0, model: vec![0; SIZE as usize] };
        client.greet();
        let requests: Vec<Ask> = requests.chunks_exact(8).take(MOST).enumerate().map(Ask::new).collect();
        if how & 2 == 0 {
            client.one_by_one(&requests)
        } else {
            client.all_at_once(&requests)
        }
        if how & 4 != 0 {
            // Bytes that are no request end the session.
            client.send(data);
        }
    });
    let is = service.call(Request::Read(all)).expect("it is all there").concat();
    assert_eq!(is.len() as u64, SIZE);
}

/// A request, and the data that go with it.
struct Ask {
    header: Header,
    data: Vec<u8>,
}

impl Ask {
    fn new((index, bytes): (usize, &[u8])) -> Self {
        let command = match bytes[0] % 8 {
            0 | 1 => Command::Read,
            2..=4 => Command::Write,
            5 => Command::WriteZeroes,
            6 => Command::Trim,
            _ if bytes[0] & 0x80 == 0 => Command::Flush,
            _ => Command::Unknown,
        };
        // Mostly on the device, in sectors or not; sometimes far beyond it.
        let word = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
        let offset = match bytes[1] & 3 {
            0 => u64::from(word(2)) % (SIZE / 512) * 512,
            1 => u64::MAX - u64::from(word(2)),
            _ => u64::from(word(2)) % (SIZE + 99),
        };
        let len = match bytes[1] & 12 {
            0 => u32::from(word(4)) % 20000,
            4 if command != Command::Write => MAX_PAYLOAD - 2 + u32::from(bytes[5]),
            _ => u32::from(word(4)) % 2048,
        };
        let len = if command == Command::Flush { 0 } else { len };
        // Flags that exist, and some that do not.
        let flags = u16::from(bytes[6] & 0x1f);
        let cookie = (index as u64) << 32 | u64::from(bytes[7]);
        let header = Header { command, flags, cookie, offset, len };
        let data = if command == Command::Write { vec![bytes[7]; len as usize] } else { Vec::new() };
        Self { header, data }
    }
}

/// A reply, taken apart.
struct Told {
    cookie: u64,
    error: u32,
    data: Vec<u8>,
}

struct Client<'s> {
    stream: &'s UnixStream,
    structured: bool,
    model: Vec<u8>,
}

impl Drop for Client<'_> {
    /// The server ends with it, also where a test fails.
    fn drop(&mut self) {
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }
}

impl Client<'_> {
    fn send(&mut self, bytes: &[u8]) {
        // A server that has gone shows when its reply is missing.
        let _ = self.stream.write_all(bytes);
    }

    fn take<const LEN: usize>(&mut self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        self.stream.read_exact(&mut bytes).expect("the server answers");
        bytes
    }

    fn number(&mut self) -> u32 {
        u32::from_be_bytes(self.take())
    }

    fn greet(&mut self) {
        assert_eq!(self.take::<18>(), *b"NBDMAGICIHAVEOPT\0\x03");
        self.send(&3_u32.to_be_bytes());
        if self.structured {
            self.send(b"IHAVEOPT\0\0\0\x08\0\0\0\0");
            self.take::<20>();
        }
        self.send(b"IHAVEOPT\0\0\0\x01\0\0\0\0");
        assert_eq!(self.take::<8>(), SIZE.to_be_bytes());
        self.take::<2>();
    }

    fn ask(&mut self, Ask { header, data }: &Ask) {
        self.send(&header.to_bytes());
        self.send(data);
    }

    /// Each reply before the next request: then the model knows what has to come.
    fn one_by_one(&mut self, requests: &[Ask]) {
        for ask in requests {
            self.ask(ask);
            let told = self.reply(|cookie| {
                assert_eq!(cookie, ask.header.cookie);
                &ask.header
            });
            self.compare(ask, &told);
        }
    }

    fn compare(&mut self, Ask { header, data }: &Ask, told: &Told) {
        assert_eq!(told.cookie, header.cookie);
        assert_eq!(told.error, header.check(SIZE).err().unwrap_or(0), "{header:?}");
        if told.error != 0 || header.command == Command::Flush {
            return;
        }
        let extent = header.offset as usize..header.offset as usize + header.len as usize;
        match header.command {
            Command::Read => assert!(told.data == self.model[extent], "{header:?}"),
            Command::Write => self.model[extent].copy_from_slice(data),
            Command::WriteZeroes => self.model[extent].fill(0),
            Command::Trim => self.trim(extent),
            Command::Flush | Command::Unknown | Command::Disconnect => {}
        }
    }

    /// Whole units are zeros then.
    fn trim(&mut self, extent: std::ops::Range<usize>) {
        for start in (0..SIZE as usize).step_by(16384) {
            let end = (start + 16384).min(SIZE as usize);
            if extent.start <= start && end <= extent.end {
                self.model[start..end].fill(0);
            }
        }
    }

    /// Replies come in any order, each once, and with as many bytes as were asked for.
    fn all_at_once(&mut self, requests: &[Ask]) {
        let is_small = |ask: &&Ask| ask.header.len <= 1024 || ask.header.check(SIZE).is_err();
        let requests: Vec<&Ask> =
            requests.iter().filter(is_small).filter(|ask| ask.data.len() <= 1024).collect();
        requests.iter().for_each(|ask| self.ask(ask));
        let mut left: Vec<&Header> = requests.iter().map(|ask| &ask.header).collect();
        while !left.is_empty() {
            let all = left.clone();
            let told = self.reply(|cookie| {
                all.iter().copied().find(|header| header.cookie == cookie).expect("a request without a reply")
            });
            let at = left.iter().position(|header| header.cookie == told.cookie).expect("it was there");
            let header = left.swap_remove(at);
            assert_eq!(told.error, header.check(SIZE).err().unwrap_or(0), "{header:?}");
        }
    }

    /// The next reply; `header` finds the request by its cookie.
    fn reply<'h>(&mut self, header: impl FnOnce(u64) -> &'h Header) -> Told {
        match self.number() {
            0x6744_6698 => {
                let error = self.number();
                let cookie = u64::from_be_bytes(self.take());
                let header = header(cookie);
                let is_read = header.command == Command::Read;
                assert!(!is_read || !self.structured, "a simple reply to a read");
                let data = self.bytes(if is_read && error == 0 { header.len } else { 0 });
                Told { cookie, error, data }
            }
            0x668e_33ef => self.structured_reply(header),
            magic => panic!("{magic:#x} begins no reply"),
        }
    }

    fn structured_reply<'h>(&mut self, header: impl FnOnce(u64) -> &'h Header) -> Told {
        let [done, kind] = [self.take::<2>(), self.take::<2>()].map(u16::from_be_bytes);
        let cookie = u64::from_be_bytes(self.take());
        let header = header(cookie);
        assert!(self.structured && done == 1 && header.command == Command::Read, "{header:?}");
        let len = self.number();
        if kind == 1 {
            assert_eq!((len, u64::from_be_bytes(self.take())), (header.len + 8, header.offset));
            return Told { cookie, error: 0, data: self.bytes(header.len) };
        }
        assert_eq!((kind, len), (1 << 15 | 1, 6), "{header:?}");
        let error = self.number();
        assert!(error == errno::INVAL && self.take::<2>() == [0, 0], "{header:?}");
        Told { cookie, error, data: Vec::new() }
    }

    fn bytes(&mut self, len: u32) -> Vec<u8> {
        let mut bytes = vec![0; len as usize];
        self.stream.read_exact(&mut bytes).expect("as many as it says");
        bytes
    }
}
