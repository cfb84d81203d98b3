//! An external vector store (M8): how memories are named there, which belong there, and what it is
//! asked.

use super::Vector;
use crate::config::Config;
use crate::host::{self, Host, VectorMatch, VectorQuery};
use crate::memory::{Memory, Temperature};
use crate::recall::Query;
use crate::scope::Scope;
use crate::store;
use sha2::{Digest, Sha256};

/// Answers asked for, for each memory that is wanted: some of them are dropped.
const SPARE: usize = 4;
/// Answers asked for at least.
const MIN_ANSWERS: usize = 32;

/// Whether there is a vector store to keep embeddings in.
pub fn is_there<H: Host>(host: &H) -> bool {
    host.has_vectors() && host.has_embeddings()
}

/// Whether a memory is to be found through the vector store.
pub fn belongs(memory: &Memory) -> bool {
    memory.is_valid && !memory.is_held && memory.temperature == Temperature::Hot
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

/// The meaning of a question.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Its embedding, to compare with those that are here.
    pub vector: Option<Vector>,
    /// What the vector store says is near.
    pub near: Option<Vec<VectorMatch>>,
}

/// Embeds a question and asks the vector store, where there is one: it then takes the place of the
/// embeddings that are here. A store that fails or is late is logged; words alone decide.
pub async fn ask<H: Host>(host: &H, config: &Config, scope: &Scope, query: &Query<'_>) -> Asked {
    let limit = config.recall.embed_timeout_ms;
    if !is_there(host) {
        let vector = query.embed(host, &config.recall).await;
        return Asked { vector, near: None };
    }
    let near = async {
        let Some(vector) = query.embed(host, &config.recall).await else {
            return Ok(None);
        };
        let question = VectorQuery {
            namespace: namespace(scope),
            cubes: scope.readable_cubes(),
            vector: vector.unit(),
            top_k: query.limit.saturating_mul(SPARE).max(MIN_ANSWERS),
        };
        host.vector_query(&question, limit).await.map(Some)
    };
    let near = host::answered(host, limit, near).await;
    let near = near.inspect_err(|error| store::warn(host, "vectors_failed", &error.0));
    Asked {
        vector: None,
        near: near.ok().flatten(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scope(tenant: &str, user: &str) -> Scope {
        Scope {
            tenant: tenant.to_owned(),
            user: user.to_owned(),
            agent: None,
            session: None,
        }
    }

    proptest! {
        #[test]
        fn no_two_memories_share_an_id(
            a in ("[ab!]{0,3}", "[ab!]{0,3}", "[ab!]{0,3}"),
            b in ("[ab!]{0,3}", "[ab!]{0,3}", "[ab!]{0,3}"),
        ) {
            let same = |x: &(String, String, String), y: &(String, String, String)| {
                id(&scope(&x.0, &x.1), &x.2) == id(&scope(&y.0, &y.1), &y.2)
            };
            prop_assert_eq!(same(&a, &b), a == b);
            let one_user = (&a.0, &a.1) == (&b.0, &b.1);
            let spaces = (namespace(&scope(&a.0, &a.1)), namespace(&scope(&b.0, &b.1)));
            prop_assert_eq!(spaces.0 == spaces.1, one_user);
        }
    }

    #[test]
    fn ids_and_namespaces_stay_what_they_are() {
        let ana = scope("default", "ana");
        assert_eq!(namespace(&ana), "79aa197393da37e56421bc7ae080ecba");
        assert_eq!(id(&ana, "m1"), "170febcd-e5f1-81fa-9029-a3489688a073");
    }
}
