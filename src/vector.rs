//! Embeddings of memories: asked of the host, kept beside the memory, compared by cosine.
//!
//! A vector is stored as signed bytes, scaled so that the largest component is 127: a quarter of
//! the size of floats, and what that loses (under 1 % of a cosine) is far below what embeddings
//! themselves mean.

pub mod external;
pub mod follow;
pub mod rows;
mod usual;

use crate::error::Result;
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::{self, Entry, Host};
use crate::read::Read;
use crate::scope::Scope;
use crate::store::{self, Change, Record};
use crate::table::Table;
use serde::Serialize;
use siltstone_kernels::{append, dot, from_base64, sqrt, to_base64};

/// Components of one embedding at most.
pub const MAX_DIMENSIONS: usize = 8_192;
/// Texts in one call of the host.
const BATCH: usize = 64;
/// Embeddings read at once.
const PAGE: usize = 500;

/// An embedding, quantized; its length does not matter to a cosine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vector {
    components: Vec<i8>,
    /// The square of its length.
    squares: i32,
}

/// An embedding as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
pub struct Stored {
    /// The components as signed bytes, base64.
    pub q: String,
}

impl Vector {
    /// Quantizes an embedding; none if it is empty, too long, all zero or holds what is no number.
    pub fn new(components: &[f32]) -> Option<Self> {
        if components.is_empty() || components.len() > MAX_DIMENSIONS {
            return None;
        }
        let largest = components
            .iter()
            .fold(0f32, |largest, x| largest.max(x.abs()));
        if !components.iter().all(|x| x.is_finite()) || largest <= 0.0 {
            return None;
        }
        let scale = 127.0 / f64::from(largest);
        // Within ±127 by the scale.
        let quantize = |x: &f32| libm::round(f64::from(*x) * scale) as i8;
        Some(Self::of(components.iter().map(quantize).collect()))
    }

    fn of(components: Vec<i8>) -> Self {
        let squares = dot(&components, &components);
        Self {
            components,
            squares,
        }
    }

    /// The cosine of the angle between two embeddings, −1 to 1; 0 if their dimensions differ.
    pub fn cosine(&self, other: &Self) -> f64 {
        if self.dimensions() != other.dimensions() {
            return 0.0;
        }
        let norms = f64::from(self.squares) * f64::from(other.squares);
        if norms <= 0.0 {
            return 0.0;
        }
        f64::from(dot(&self.components, &other.components)) / sqrt(norms)
    }

    /// How many components it has.
    pub fn dimensions(&self) -> usize {
        self.components.len()
    }

    /// Its components, scaled to a length of 1.
    pub fn unit(&self) -> Vec<f32> {
        let length = sqrt(f64::from(self.squares)).max(f64::MIN_POSITIVE);
        let scaled = self
            .components
            .iter()
            .map(|x| (f64::from(*x) / length) as f32);
        scaled.gather()
    }

    fn encode(&self) -> Stored {
        let mut bytes = Vec::new();
        append(&mut bytes, &self.components);
        Stored {
            q: to_base64(&bytes),
        }
    }

    /// Reads a stored embedding; none if it is damaged.
    pub fn decode(stored: &Stored) -> Option<Self> {
        // Collected at its size: thousands of these lie in memory side by side.
        let bytes = from_base64(&stored.q)?;
        (bytes.len() <= MAX_DIMENSIONS)
            .then(|| Self::of(bytes.into_iter().map(u8::cast_signed).collect()))
    }

    /// Of its components as bytes; none of none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let components = bytes.iter().map(|byte| byte.cast_signed());
        (!bytes.is_empty()).then(|| Self::of(components.collect()))
    }
}

/// The embeddings of these texts, one each; none where the host has no embeddings, fails, is late,
/// or answers what is no embedding. A fault is logged: everything works without vectors.
pub async fn embed<H: Host>(host: &H, texts: &[String], timeout_ms: u64) -> Vec<Option<Vector>> {
    let mut vectors = Vec::with_capacity(texts.len());
    if !host.has_embeddings() {
        vectors.resize(texts.len(), None);
        return vectors;
    }
    for batch in texts.chunks(BATCH) {
        match host::answered(host, timeout_ms, host.embed(batch, timeout_ms)).await {
            Ok(answer) if answer.len() == batch.len() => {
                vectors.push_all(answer.iter().map(|components| Vector::new(components)));
            }
            Ok(answer) => {
                let got = answer.len();
                let fault = format!("{got} embeddings for {} texts", batch.len());
                store::warn(host, "embed_failed", &fault);
                vectors.resize(vectors.len() + batch.len(), None);
            }
            Err(error) => {
                store::warn(host, "embed_failed", &error.0);
                vectors.resize(vectors.len() + batch.len(), None);
            }
        }
    }
    vectors
}

/// The embedding of one text.
pub async fn embed_one<H: Host>(host: &H, text: &str, timeout_ms: u64) -> Option<Vector> {
    let vectors = embed(host, &[text.to_owned()], timeout_ms).await;
    vectors.into_iter().next().flatten()
}

/// The stored embeddings of a user's memories, by memory id; empty where there are none.
pub async fn read<H: Host>(host: &H, scope: &Scope) -> Result<Table<Vector>> {
    let mut vectors = Table::default();
    if host.has_embeddings() {
        each(host, scope, |id, vector| {
            vectors.insert(id.to_owned(), vector);
        })
        .await?;
    }
    Ok(vectors)
}

/// Tells the stored embeddings of a user's memories, without holding them all.
pub async fn each<H: Host>(
    host: &H,
    scope: &Scope,
    mut tell: impl FnMut(&str, Vector),
) -> Result<()> {
    let (mut start, end) = scope.vectors();
    loop {
        let entries = store::range(host, (start, end.clone()), PAGE, false).await?;
        let is_last = entries.len() < PAGE;
        let last = entries.last().map(|entry| format!("{}\u{20}", entry.key));
        for (id, vector) in by_memory(host, entries) {
            tell(&id, vector);
        }
        match last {
            Some(last) if !is_last => start = last,
            _ => return Ok(()),
        }
    }
}

/// The stored embeddings of these memories, by memory id.
pub async fn read_some<H: Host>(host: &H, scope: &Scope, ids: &[String]) -> Result<Table<Vector>> {
    let keys: Vec<String> = ids.iter().map(|id| scope.vector_key(id)).gather();
    let entries = store::get(host, &keys).await?;
    let vectors = by_memory(host, entries.into_iter().flatten().gather());
    Ok(vectors.into_iter().collect())
}

fn by_memory<H: Host>(host: &H, entries: Vec<Entry>) -> Vec<(String, Vector)> {
    let records: Vec<Record<Stored>> = store::decode_all(host, entries);
    let vectors = records.into_iter().filter_map(|record| {
        let id = crate::key::last_part(&record.key)?;
        Some((id, Vector::decode(&record.value)?))
    });
    vectors.gather()
}

/// Stores the embedding of a memory within the change that stores the memory.
pub fn put(change: &mut Change, scope: &Scope, id: &str, vector: Option<&Vector>) {
    if let Some(vector) = vector {
        change.put(scope.vector_key(id), &vector.encode());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact(a: &[f32], b: &[f32]) -> f64 {
        let dot = |a: &[f32], b: &[f32]| -> f64 {
            a.iter()
                .zip(b)
                .map(|(x, y)| f64::from(*x) * f64::from(*y))
                .sum()
        };
        dot(a, b) / libm::sqrt(dot(a, a) * dot(b, b))
    }

    proptest! {
        #[test]
        fn a_quantized_cosine_is_within_one_percent(
            a in prop::collection::vec(-1f32..1.0, 64),
            b in prop::collection::vec(-1f32..1.0, 64),
        ) {
            prop_assume!(a.iter().chain(&b).any(|x| x.abs() > 0.1));
            let (Some(qa), Some(qb)) = (Vector::new(&a), Vector::new(&b)) else { return Ok(()) };
            prop_assert!((qa.cosine(&qb) - exact(&a, &b)).abs() < 0.01);
            prop_assert!(qa.cosine(&qa) > 0.9999);
            prop_assert_eq!(Vector::decode(&qa.encode()), Some(qa));
        }
    }

    #[test]
    fn what_is_no_embedding_is_none() {
        for odd in [&[][..], &[0.0, 0.0], &[f32::NAN], &[f32::INFINITY, 1.0]] {
            assert_eq!(Vector::new(odd), None, "{odd:?}");
        }
        let (two, three) = (Vector::new(&[1.0, 2.0]), Vector::new(&[1.0, 2.0, 3.0]));
        assert_eq!(two.unwrap().cosine(&three.unwrap()), 0.0);
    }
}
