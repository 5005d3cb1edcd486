//! What threads of the program need when they serve their own faults.

use ztera_store::{Scratch, Store};
use ztera_sync::Mutex;

use crate::ahead::Ahead;

/// Working memory kept for those who come next.
const KEPT: usize = 16;

/// Threads of the program serve their own faults, told by SIGBUS.
pub(crate) struct Callers {
    /// Working memory that nobody uses now.
    idle: Mutex<Vec<Scratch>>,
    /// What is wanted beyond that.
    pub ahead: Ahead,
}

impl Callers {
    /// `most_ahead`: units that may wait to be read ahead.
    pub fn new(most_ahead: u32) -> Self {
        Self { idle: Mutex::default(), ahead: Ahead::new(most_ahead) }
    }

    /// Lends working memory to `serve`.
    pub fn lend<R>(&self, store: &Store, serve: impl FnOnce(&mut Scratch) -> R) -> R {
        let idle = self.idle.lock().pop();
        let mut scratch = idle.unwrap_or_else(|| store.scratch());
        let result = serve(&mut scratch);
        let mut idle = self.idle.lock();
        if idle.len() < KEPT {
            idle.push(scratch);
        }
        result
    }
}
