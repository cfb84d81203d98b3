//! An external vector store (M8): how memories are named there, which belong there, and what it is
//! asked.

use super::Vector;
use crate::config::Config;
use crate::host::{Host, HostError, VectorMatch, VectorQuery};
use crate::memory::{Memory, Temperature};
use crate::recall::Query;
use crate::scope::Scope;
use crate::store;
use futures_util::future::{Either, select};
use sha2::{Digest, Sha256};
use std::pin::pin;

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
    let config = &config.recall;
    let vector = query.embed(host, config).await;
    if !is_there(host) {
        return Asked { vector, near: None };
    }
    let Some(vector) = vector else {
        return Asked::default();
    };
    let wanted = query.limit.saturating_mul(SPARE);
    let question = VectorQuery {
        namespace: namespace(scope),
        cubes: scope.readable_cubes(),
        vector: vector.unit(),
        top_k: wanted.max(MIN_ANSWERS),
    };
    let limit = config.embed_timeout_ms;
    let answer = pin!(host.vector_query(&question, limit));
    let deadline = pin!(host.sleep(limit));
    let answer = match select(answer, deadline).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(HostError(format!("no answer within {limit} ms"))),
    };
    let near = answer.inspect_err(|error| store::warn(host, "vectors_failed", &error.0));
    Asked {
        vector: None,
        near: near.ok(),
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
