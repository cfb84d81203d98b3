//! How memories are named in an external vector store (M8), and which of them belong there.

use crate::memory::{Memory, Temperature};
use crate::scope::Scope;
use sha2::{Digest, Sha256};

/// Whether a memory is to be found through the vector store.
pub fn belongs(memory: &Memory) -> bool {
    memory.is_valid && memory.temperature == Temperature::Hot
}

/// The namespace of a user's vectors: 32 hexadecimal digits.
pub fn namespace(scope: &Scope) -> String {
    let digest = digest(&[&scope.tenant, &scope.user]);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The id of a memory's vector: a UUID of version 8, no other memory's of any user or tenant.
pub fn id(scope: &Scope, memory: &str) -> String {
    let digest = digest(&[&scope.tenant, &scope.user, memory]);
    uuid::Builder::from_custom_bytes(digest)
        .into_uuid()
        .to_string()
}

/// Each part after its length, so that no two lists of parts give the same bytes.
fn digest(parts: &[&str]) -> [u8; 16] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let mut first = [0; 16];
    first
        .iter_mut()
        .zip(hash.finalize())
        .for_each(|(byte, from)| *byte = from);
    first
}
