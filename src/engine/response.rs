//! What the calls answer, written as JSON as soon as it is there.

use crate::error::Result;
use crate::read;
use crate::write::{Field, Writer};
use futures_util::TryFutureExt;
use serde::{Serialize, Serializer};
use std::future::Future;
use std::pin::Pin;

/// What a call answers: JSON.
#[derive(Debug)]
pub struct Response(pub(crate) Writer);

impl Response {
    pub(super) fn record(fields: &[(&str, &dyn Field)]) -> Self {
        Self(Writer::record(fields))
    }

    /// The JSON text.
    pub fn text(&self) -> &str {
        &self.0.text
    }
}

impl Serialize for Response {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        read::json(self.text()).serialize(serializer)
    }
}

/// A call that runs. Each has its own state behind this: the calls of one name need not be as large
/// as the largest of all.
pub(crate) type Running<'a> = Pin<Box<dyn Future<Output = Result<Response>> + 'a>>;

/// A call whose answer is what it gives.
pub(crate) fn whole<'a, T: Serialize>(call: impl Future<Output = Result<T>> + 'a) -> Running<'a> {
    Box::pin(call.map_ok(|given| Response(Writer::of(&given))))
}

/// A call whose answer holds what it gives in a field.
pub(crate) fn named<'a, T: Serialize>(
    name: &'static str,
    call: impl Future<Output = Result<T>> + 'a,
) -> Running<'a> {
    Box::pin(call.map_ok(move |given| Response::record(&[(name, &given)])))
}
