//! The limit of an instance's memories and tables together.

use wasmtime::{ResourceLimiter, Result};

use crate::fault::{LimitKind, within};

const TABLE_ELEMENT_BYTES: usize = size_of::<usize>();
const MAX_INSTANCES: usize = 32;
const MAX_TABLES: usize = 64;
const MAX_MEMORIES: usize = 8;

/// Counts what all memories and tables of a store have grown to.
pub(crate) struct Memory {
    used: u64,
    allowed: u64,
}

impl Memory {
    pub(super) fn new(allowed: u64) -> Self {
        Self { used: 0, allowed }
    }

    fn grow(&mut self, from: usize, to: usize) -> Result<bool> {
        let used = self.used.saturating_add(to.saturating_sub(from) as u64);
        within(LimitKind::Memory, used, self.allowed)?;
        self.used = used;
        Ok(true)
    }
}

impl ResourceLimiter for Memory {
    fn memory_growing(&mut self, from: usize, to: usize, most: Option<usize>) -> Result<bool> {
        // A memory's own maximum refuses by itself; what is refused must not be counted.
        if most.is_some_and(|most| to > most) {
            return Ok(false);
        }
        self.grow(from, to)
    }

    fn table_growing(&mut self, from: usize, to: usize, most: Option<usize>) -> Result<bool> {
        if most.is_some_and(|most| to > most) {
            return Ok(false);
        }
        let bytes = |elements: usize| elements.saturating_mul(TABLE_ELEMENT_BYTES);
        self.grow(bytes(from), bytes(to))
    }

    fn instances(&self) -> usize {
        MAX_INSTANCES
    }

    fn tables(&self) -> usize {
        MAX_TABLES
    }

    fn memories(&self) -> usize {
        MAX_MEMORIES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Stop;

    #[test]
    fn memories_and_tables_are_counted_together() {
        let mut memory = Memory::new(1000);
        assert!(memory.memory_growing(0, 600, None).unwrap());
        assert!(memory.table_growing(0, 50, None).unwrap());
        let stop = memory.memory_growing(0, 1, None).unwrap_err().downcast::<Stop>();
        assert!(matches!(
            stop.unwrap(),
            Stop::Limit { limit: LimitKind::Memory, allowed: 1000, used: 1001 }
        ));
    }

    #[test]
    fn what_a_memory_refuses_by_itself_is_not_counted() {
        let mut memory = Memory::new(1000);
        assert!(!memory.memory_growing(0, 900, Some(800)).unwrap());
        assert!(memory.memory_growing(0, 800, Some(800)).unwrap());
        assert!(memory.memory_growing(0, 200, None).unwrap());
    }
}
