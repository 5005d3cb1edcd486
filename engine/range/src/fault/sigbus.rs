//! Working memory of threads of the program that serve their own faults.

use ztera_store::{Scratch, Store};
use ztera_sync::{Mutex, Rank, ticket};

use crate::fault::ahead::Ahead;

/// Pieces of working memory that are kept between faults.
const KEPT: usize = 64;

/// Places at which threads begin to look for a piece. Few threads at once then make few pieces, and find them in their
/// CPUs' caches.
const HOMES: usize = 8;

/// Threads of the program serve their own faults, told by SIGBUS.
pub(crate) struct SelfService {
    /// Working memory, made when it is needed first; whoever has it has locked it. Nobody waits for one of them.
    scratches: Box<[Mutex<Option<Scratch>>]>,
    /// Units that are wanted beyond that.
    pub ahead: Ahead,
}

impl SelfService {
    /// `most_ahead`: units that may wait to be read ahead.
    pub fn new(most_ahead: u32) -> Self {
        let scratch = |_| Mutex::ranked(Rank::Work, None);
        Self { scratches: (0..KEPT).map(scratch).collect(), ahead: Ahead::new(most_ahead) }
    }

    /// Lends working memory to `serve`.
    pub fn lend<R>(&self, store: &Store, serve: impl FnOnce(&mut Scratch) -> R) -> R {
        let home = ticket() % HOMES;
        let idle = (home..home + KEPT).find_map(|place| self.scratches[place % KEPT].try_lock());
        match idle {
            Some(mut scratch) => serve(scratch.get_or_insert_with(|| store.scratch())),
            None => serve(&mut store.scratch()),
        }
    }
}
