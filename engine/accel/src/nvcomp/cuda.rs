//! The functions of NVIDIA's driver that a lane takes: a context, streams, memory and copies.

use std::ffi::{c_int, c_uint, c_void};
use std::io;
use std::ptr::null_mut;

/// `CUdeviceptr`: an address of the GPU.
pub type Address = u64;
/// `CUstream`.
pub type Stream = *mut c_void;

/// `CU_STREAM_NON_BLOCKING`.
const APART: c_uint = 1;

type Init = unsafe extern "C" fn(c_uint) -> c_int;
type Get = unsafe extern "C" fn(*mut c_int, c_int) -> c_int;
type Retain = unsafe extern "C" fn(*mut *mut c_void, c_int) -> c_int;
type SetCurrent = unsafe extern "C" fn(*mut c_void) -> c_int;
type Create = unsafe extern "C" fn(*mut Stream, c_uint) -> c_int;
type OfStream = unsafe extern "C" fn(Stream) -> c_int;
type Alloc = unsafe extern "C" fn(*mut Address, usize) -> c_int;
type AllocHost = unsafe extern "C" fn(*mut *mut c_void, usize) -> c_int;
type Free = unsafe extern "C" fn(Address) -> c_int;
type FreeHost = unsafe extern "C" fn(*mut c_void) -> c_int;
type ToDevice = unsafe extern "C" fn(Address, *const c_void, usize, Stream) -> c_int;
type ToHost = unsafe extern "C" fn(*mut c_void, Address, usize, Stream) -> c_int;

/// The driver with the context of its first GPU.
pub struct Cuda {
    context: usize,
    set_current: SetCurrent,
    create: Create,
    synchronize: OfStream,
    destroy: OfStream,
    alloc: Alloc,
    alloc_host: AllocHost,
    free: Free,
    free_host: FreeHost,
    to_device: ToDevice,
    to_host: ToHost,
    _library: libloading::Library,
}

/// Says which library is missing, and who has it.
pub fn missing(name: &str, package: &str, error: &libloading::Error) -> io::Error {
    let why = format!("the accelerator nvcomp needs {name} ({package}): {error}");
    io::Error::new(io::ErrorKind::NotFound, why)
}

impl Cuda {
    /// The driver, or what is missing.
    pub fn load(name: &str) -> io::Result<Cuda> {
        let why = |error| missing(name, "NVIDIA's driver", &error);
        // SAFETY: the library's initialisers are those of a driver that the user asked for.
        let library = unsafe { libloading::Library::new(name) }.map_err(why)?;
        // SAFETY: the names' types are those of cuda.h.
        let cuda = unsafe {
            Cuda {
                context: first(
                    *library.get(c"cuInit").map_err(why)?,
                    *library.get(c"cuDeviceGet").map_err(why)?,
                    *library.get(c"cuDevicePrimaryCtxRetain").map_err(why)?,
                )?,
                set_current: *library.get(c"cuCtxSetCurrent").map_err(why)?,
                create: *library.get(c"cuStreamCreate").map_err(why)?,
                synchronize: *library.get(c"cuStreamSynchronize").map_err(why)?,
                destroy: *library.get(c"cuStreamDestroy_v2").map_err(why)?,
                alloc: *library.get(c"cuMemAlloc_v2").map_err(why)?,
                alloc_host: *library.get(c"cuMemAllocHost_v2").map_err(why)?,
                free: *library.get(c"cuMemFree_v2").map_err(why)?,
                free_host: *library.get(c"cuMemFreeHost").map_err(why)?,
                to_device: *library.get(c"cuMemcpyHtoDAsync_v2").map_err(why)?,
                to_host: *library.get(c"cuMemcpyDtoHAsync_v2").map_err(why)?,
                _library: library,
            }
        };
        Ok(cuda)
    }

    /// A stream of the calling thread, which uses the GPU from now on.
    pub fn stream(&self) -> Result<OwnStream<'_>, c_int> {
        let mut stream = null_mut();
        // SAFETY: the context is kept for ever, and the stream is written to a place of its type.
        unsafe {
            check((self.set_current)(self.context as *mut c_void))?;
            check((self.create)(&raw mut stream, APART))?;
        }
        Ok(OwnStream { cuda: self, stream })
    }

    /// Memory of the GPU.
    pub fn memory(&self, len: usize) -> Result<Memory<'_>, c_int> {
        let mut address = 0;
        // SAFETY: the address is written to a place of its type.
        check(unsafe { (self.alloc)(&raw mut address, len) })?;
        Ok(Memory { cuda: self, address, len })
    }

    /// Memory of the host that the GPU copies from and to by itself.
    pub fn host(&self, len: usize) -> Result<Host<'_>, c_int> {
        let mut start = null_mut();
        // SAFETY: the address is written to a place of its type.
        check(unsafe { (self.alloc_host)(&raw mut start, len) })?;
        // SAFETY: the driver has just given these bytes. Numbers of any kind are valid, and they are set first.
        unsafe { start.cast::<u8>().write_bytes(0, len) };
        Ok(Host { cuda: self, start: start.cast(), len })
    }
}

/// The context of the first GPU, as a number: threads share it.
fn first(init: Init, get: Get, retain: Retain) -> io::Result<usize> {
    let (mut device, mut context) = (0, null_mut());
    let none = |code: c_int| {
        let why = format!("CUDA finds no GPU that this user may use (error {code})");
        io::Error::new(io::ErrorKind::NotFound, why)
    };
    // SAFETY: each result is written to a place of its type.
    unsafe {
        check(init(0)).and_then(|()| check(get(&raw mut device, 0))).map_err(none)?;
        check(retain(&raw mut context, device)).map_err(none)?;
    }
    Ok(context as usize)
}

fn check(code: c_int) -> Result<(), c_int> {
    if code == 0 { Ok(()) } else { Err(code) }
}

/// A stream. Dropping it waits for what is under way.
pub struct OwnStream<'c> {
    cuda: &'c Cuda,
    stream: Stream,
}

impl OwnStream<'_> {
    /// As the library takes it.
    pub fn get(&self) -> Stream {
        self.stream
    }

    /// Copies the first bytes of the host's memory.
    pub fn to_device(&self, to: &Memory<'_>, from: &Host<'_>, len: usize) -> Result<(), c_int> {
        assert!(len <= to.len && len <= from.len);
        // SAFETY: both have so many bytes, and live until the stream is done: a lane waits for that.
        check(unsafe { (self.cuda.to_device)(to.address, from.start.cast(), len, self.stream) })
    }

    /// Copies bytes of the GPU's memory to the same place of the host's.
    pub fn to_host(&self, to: &mut Host<'_>, from: &Memory<'_>, at: usize, len: usize) -> Result<(), c_int> {
        assert!(at + len <= to.len && at + len <= from.len);
        // SAFETY: both have these bytes, and live until the stream is done: a lane waits for that.
        check(unsafe {
            (self.cuda.to_host)(to.start.add(at).cast(), from.address + at as Address, len, self.stream)
        })
    }

    /// Waits until all is done.
    pub fn wait(&self) -> Result<(), c_int> {
        // SAFETY: the stream is this thread's.
        check(unsafe { (self.cuda.synchronize)(self.stream) })
    }
}

impl Drop for OwnStream<'_> {
    fn drop(&mut self) {
        // SAFETY: nobody uses the stream any more. A broken one can only be left.
        unsafe {
            (self.cuda.synchronize)(self.stream);
            (self.cuda.destroy)(self.stream);
        }
    }
}

/// Memory of the GPU.
pub struct Memory<'c> {
    cuda: &'c Cuda,
    pub address: Address,
    len: usize,
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        // SAFETY: it was allocated, and a lane drops its stream first.
        unsafe { (self.cuda.free)(self.address) };
    }
}

/// Memory of the host that the GPU reaches.
pub struct Host<'c> {
    cuda: &'c Cuda,
    start: *mut u8,
    len: usize,
}

impl Host<'_> {
    /// Its bytes. The caller has waited for copies to it.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes are allocated and set, and nothing is under way.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }

    /// The same, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

impl Drop for Host<'_> {
    fn drop(&mut self) {
        // SAFETY: it was allocated, and a lane drops its stream first.
        unsafe { (self.cuda.free_host)(self.start.cast()) };
    }
}
