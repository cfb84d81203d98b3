//! The host's callbacks behind the [`Host`] trait.

use super::{fault, from_js, function, room, shown, to_js};
use crate::error::{Error, Result};
use crate::host::{
    Batch, Commit, Entry, Host, HostError, HostResult, LlmRequest, LogEvent, ProviderAnswer,
    ProviderRequest, Range, VectorItem, VectorMatch, VectorQuery,
};
use crate::read;
use crate::vector::MAX_DIMENSIONS;
use js_sys::futures::JsFuture;
use js_sys::{Array, ArrayBuffer, Date, Float32Array, Function, Promise, Reflect, Uint8Array};
use serde::Serialize;
use serde_json::Value;
use std::future::Future;
use wasm_bindgen::prelude::*;

/// The host's callbacks.
#[derive(Debug)]
pub(super) struct JsHost {
    get: Function,
    range: Function,
    commit: Function,
    sleep: Function,
    cache_get: Option<Function>,
    cache_put: Option<Function>,
    complete: Option<Function>,
    embed: Option<Function>,
    vector_upsert: Option<Function>,
    vector_query: Option<Function>,
    vector_delete: Option<Function>,
    memos: Option<Function>,
    mem0: Option<Function>,
    agent: Option<Function>,
    now: Option<Function>,
    random: Option<Function>,
    log: Option<Function>,
}

impl JsHost {
    pub(super) fn new(callbacks: &JsValue) -> Result<Self> {
        let required = |name: &str| {
            function(callbacks, name)
                .ok_or_else(|| Error::input(format!("host.{name}"), "a function"))
        };
        let optional = |name: &str| function(callbacks, name);
        Ok(Self {
            get: required("get")?,
            range: required("range")?,
            commit: required("commit")?,
            sleep: required("sleep")?,
            cache_get: optional("cacheGet"),
            cache_put: optional("cachePut"),
            complete: optional("complete"),
            embed: optional("embed"),
            vector_upsert: optional("vectorUpsert"),
            vector_query: optional("vectorQuery"),
            vector_delete: optional("vectorDelete"),
            memos: optional("memos"),
            mem0: optional("mem0"),
            agent: optional("agent"),
            now: optional("now"),
            random: optional("random"),
            log: optional("log"),
        })
    }
}

/// Calls a callback with these arguments and waits for its answer.
async fn ask(callback: &Function, arguments: &[JsValue]) -> HostResult<JsValue> {
    let arguments: Array = arguments.iter().collect();
    let answer = callback
        .apply(&JsValue::UNDEFINED, &arguments)
        .map_err(|error| fault(&error))?;
    let answer = JsFuture::from(Promise::resolve(&answer))
        .await
        .map_err(|error| fault(&error));
    room::ahead();
    answer
}

fn argument<T: Serialize>(value: &T) -> HostResult<JsValue> {
    to_js(value).map_err(|error| HostError(error.into_message()))
}

/// The name of a field, made once for all entries that have it.
struct Field(&'static str, JsValue);

impl Field {
    fn new(name: &'static str) -> Self {
        Self(name, JsValue::from_str(name))
    }

    fn of(&self, object: &JsValue) -> HostResult<String> {
        Reflect::get(object, &self.1)
            .ok()
            .and_then(|value| value.as_string())
            .ok_or_else(|| HostError(format!("an entry's `{}` must be a string", self.0)))
    }
}

/// The items of an array, `most` at most. Each is read so that a getter or a proxy that throws
/// fails this call and not the core.
fn items(value: &JsValue, what: &str, most: usize) -> HostResult<Vec<JsValue>> {
    if !Array::is_array(value) {
        return Err(HostError(format!("{what} must answer an array")));
    }
    (0..length(value)?.min(most))
        .map(|at| item(value, at))
        .collect()
}

fn length(list: &JsValue) -> HostResult<usize> {
    let length = Reflect::get(list, &JsValue::from_str("length")).map_err(|error| fault(&error))?;
    let length = length.as_f64().filter(|length| *length >= 0.0);
    length
        .map(|length| length as usize)
        .ok_or_else(|| HostError("a list must have a length".to_owned()))
}

fn item(list: &JsValue, at: usize) -> HostResult<JsValue> {
    let at = u32::try_from(at).unwrap_or(u32::MAX);
    Reflect::get_u32(list, at).map_err(|error| fault(&error))
}

fn embedding(value: &JsValue) -> HostResult<Vec<f32>> {
    let not_numbers = || HostError("an embedding must be an array of numbers".to_owned());
    let length = length(value).map_err(|_| not_numbers())?;
    if length > MAX_DIMENSIONS {
        return Err(HostError(format!(
            "an embedding has at most {MAX_DIMENSIONS} numbers, got {length}"
        )));
    }
    // A proxy of such an array passes for one, and then has none of its methods.
    if let Some(floats) = value.dyn_ref::<Float32Array>()
        && ArrayBuffer::is_view(value)
    {
        return Ok(floats.to_vec());
    }
    let number = |at| item(value, at)?.as_f64().ok_or_else(not_numbers);
    (0..length)
        .map(|at| number(at).map(|number| number as f32))
        .collect()
}

fn optional_text(value: &JsValue, what: &str) -> HostResult<Option<String>> {
    if value.is_null() || value.is_undefined() {
        return Ok(None);
    }
    let text = value.as_string();
    text.map(Some)
        .ok_or_else(|| HostError(format!("{what} must answer a string or null")))
}

/// Calls an optional callback; an error when it is not there.
async fn ask_optional(
    callback: Option<&Function>,
    what: &str,
    arguments: &[JsValue],
) -> HostResult<JsValue> {
    match callback {
        Some(callback) => ask(callback, arguments).await,
        None => Err(HostError(format!("the host has no {what}"))),
    }
}

/// A plain object of these fields.
fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = js_sys::Object::new();
    for (name, value) in fields {
        // Setting a field of an object made here cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}

fn floats(vector: &[f32]) -> JsValue {
    Float32Array::from(vector).into()
}

const VECTORS: &str = "vector store";
/// Answers of a vector store that are looked at.
const MAX_MATCHES: usize = 10_000;

impl JsHost {
    fn transport(&self, name: &str) -> Option<&Function> {
        match name {
            "memos" => self.memos.as_ref(),
            "mem0" => self.mem0.as_ref(),
            _ => None,
        }
    }
}

impl Host for JsHost {
    async fn get(&self, keys: &[String]) -> HostResult<Vec<Option<Entry>>> {
        let answer = ask(&self.get, &[argument(&keys)?]).await?;
        let (value, version) = (Field::new("value"), Field::new("version"));
        items(&answer, "get", keys.len())?
            .into_iter()
            .zip(keys)
            .map(|(entry, key)| {
                if entry.is_null() || entry.is_undefined() {
                    return Ok(None);
                }
                Ok(Some(Entry {
                    key: key.clone(),
                    value: value.of(&entry)?,
                    version: version.of(&entry)?,
                }))
            })
            .collect()
    }

    async fn range(&self, range: &Range) -> HostResult<Vec<Entry>> {
        let answer = ask(&self.range, &[argument(range)?]).await?;
        // One more than was asked for, so that too many are seen as that.
        let [key, value, version] = ["key", "value", "version"].map(Field::new);
        items(&answer, "range", range.limit.saturating_add(1))?
            .into_iter()
            .map(|entry| {
                Ok(Entry {
                    key: key.of(&entry)?,
                    value: value.of(&entry)?,
                    version: version.of(&entry)?,
                })
            })
            .collect()
    }

    async fn commit(&self, batch: &Batch) -> HostResult<Commit> {
        let answer = ask(&self.commit, &[argument(batch)?]).await?;
        match answer.as_bool() {
            Some(true) => Ok(Commit::Done),
            Some(false) => Ok(Commit::Conflict),
            None => Err(HostError("commit must answer true or false".to_owned())),
        }
    }

    fn has_cache(&self) -> bool {
        self.cache_put.is_some()
    }

    async fn cache_get(&self, key: &str) -> HostResult<Option<String>> {
        match &self.cache_get {
            None => Ok(None),
            Some(callback) => {
                let answer = ask(callback, &[JsValue::from_str(key)]).await?;
                optional_text(&answer, "cache.get")
            }
        }
    }

    async fn cache_put(&self, key: &str, value: &str, ttl_ms: u64) -> HostResult<()> {
        let Some(callback) = &self.cache_put else {
            return Ok(());
        };
        let arguments = [
            JsValue::from_str(key),
            JsValue::from_str(value),
            argument(&ttl_ms)?,
        ];
        ask(callback, &arguments).await.map(drop)
    }

    fn has_llm(&self) -> bool {
        self.complete.is_some()
    }

    async fn complete(&self, request: &LlmRequest) -> HostResult<String> {
        let Some(callback) = &self.complete else {
            return Err(HostError("there is no LLM".to_owned()));
        };
        let answer = ask(callback, &[argument(request)?]).await?;
        let text = optional_text(&answer, "the LLM")?;
        text.ok_or_else(|| HostError("the LLM must answer a string".to_owned()))
    }

    fn has_embeddings(&self) -> bool {
        self.embed.is_some()
    }

    async fn embed(&self, texts: &[String], timeout_ms: u64) -> HostResult<Vec<Vec<f32>>> {
        let Some(callback) = &self.embed else {
            return Err(HostError("there are no embeddings".to_owned()));
        };
        let answer = ask(callback, &[argument(&texts)?, argument(&timeout_ms)?]).await?;
        items(&answer, "embed", texts.len() + 1)?
            .iter()
            .map(embedding)
            .collect()
    }

    fn has_vectors(&self) -> bool {
        self.vector_query.is_some()
    }

    async fn vector_upsert(&self, items: &[VectorItem], timeout_ms: u64) -> HostResult<()> {
        let item = |item: &VectorItem| {
            object(&[
                ("id", JsValue::from_str(&item.id)),
                ("namespace", JsValue::from_str(&item.namespace)),
                ("cube", JsValue::from_str(&item.cube)),
                ("vector", floats(&item.vector)),
            ])
        };
        let items: Array = items.iter().map(item).collect();
        let arguments = [items.into(), argument(&timeout_ms)?];
        ask_optional(self.vector_upsert.as_ref(), VECTORS, &arguments)
            .await
            .map(drop)
    }

    async fn vector_query(
        &self,
        query: &VectorQuery,
        timeout_ms: u64,
    ) -> HostResult<Vec<VectorMatch>> {
        let question = object(&[
            ("namespace", JsValue::from_str(&query.namespace)),
            ("cubes", argument(&query.cubes)?),
            ("vector", floats(&query.vector)),
            ("topK", argument(&query.top_k)?),
        ]);
        let arguments = [question, argument(&timeout_ms)?];
        let answer = ask_optional(self.vector_query.as_ref(), VECTORS, &arguments).await?;
        let id = Field::new("id");
        items(&answer, "vectors.query", MAX_MATCHES)?
            .into_iter()
            .map(|hit| {
                let score = Reflect::get(&hit, &JsValue::from_str("score")).ok();
                Ok(VectorMatch {
                    id: id.of(&hit)?,
                    score: score.and_then(|score| score.as_f64()).unwrap_or(f64::NAN),
                })
            })
            .collect()
    }

    async fn vector_delete(
        &self,
        namespace: &str,
        ids: &[String],
        timeout_ms: u64,
    ) -> HostResult<()> {
        let arguments = [
            JsValue::from_str(namespace),
            argument(&ids)?,
            argument(&timeout_ms)?,
        ];
        ask_optional(self.vector_delete.as_ref(), VECTORS, &arguments)
            .await
            .map(drop)
    }

    fn has_provider(&self, name: &str) -> bool {
        self.transport(name).is_some()
    }

    async fn provider(&self, request: &ProviderRequest) -> HostResult<ProviderAnswer> {
        let transport = self.transport(request.provider);
        let answer = ask_optional(transport, "memory service", &[argument(request)?]).await?;
        let wrong =
            |what: String| HostError(format!("a provider must answer {{ status, body }}: {what}"));
        let answer = from_js(answer).map_err(|error| wrong(error.into_message()))?;
        read::lenient(&answer).map_err(|fault| wrong(fault.to_string()))
    }

    async fn agent(&self, tenant: &str, agent: &str) -> HostResult<Option<Value>> {
        let Some(callback) = &self.agent else {
            return Ok(None);
        };
        let arguments = [JsValue::from_str(tenant), JsValue::from_str(agent)];
        let answer = ask(callback, &arguments).await?;
        if answer.is_null() || answer.is_undefined() {
            return Ok(None);
        }
        from_js(answer)
            .map(Some)
            .map_err(|error| HostError(error.into_message()))
    }

    fn sleep(&self, ms: u64) -> impl Future<Output = ()> {
        let sleep = Sleep::start(&self.sleep, ms);
        async move {
            match &sleep.promise {
                // A rejected or missing timer counts as a deadline that never comes.
                Some(promise) => {
                    if JsFuture::from(promise.clone()).await.is_err() {
                        std::future::pending::<()>().await;
                    }
                }
                None => std::future::pending::<()>().await,
            }
        }
    }

    fn now_ms(&self) -> HostResult<i64> {
        let now = match &self.now {
            None => Date::now(),
            Some(callback) => {
                let answer = callback
                    .call0(&JsValue::UNDEFINED)
                    .map_err(|error| fault(&error))?;
                answer.as_f64().unwrap_or(f64::NAN)
            }
        };
        if now.is_finite() && libm::fabs(now) < 9.0e15 {
            return Ok(libm::floor(now) as i64);
        }
        Err(HostError(format!(
            "now must give milliseconds since the epoch, got {}",
            shown(now)
        )))
    }

    fn random(&self, out: &mut [u8]) -> HostResult<()> {
        let Some(callback) = &self.random else {
            return getrandom::fill(out).map_err(|error| HostError(error.to_string()));
        };
        let answer = callback
            .call1(&JsValue::UNDEFINED, &argument(&out.len())?)
            .map_err(|error| fault(&error))?;
        let not_bytes = |_| HostError("random must answer a Uint8Array".to_owned());
        if !ArrayBuffer::is_view(&answer) {
            return Err(not_bytes(answer));
        }
        let bytes: Uint8Array = answer.dyn_into().map_err(not_bytes)?;
        if usize::try_from(bytes.length()) != Ok(out.len()) {
            return Err(HostError(format!("random must answer {} bytes", out.len())));
        }
        bytes.copy_to(out);
        Ok(())
    }

    fn log(&self, event: LogEvent) {
        let Ok(argument) = to_js(&event) else {
            return;
        };
        match &self.log {
            // A logger that throws must not fail the call it tells about.
            Some(callback) => drop(callback.call1(&JsValue::UNDEFINED, &argument)),
            None => web_sys::console::warn_2(&JsValue::from_str("siltstone"), &argument),
        }
    }
}

/// A running timer; dropped, it is cancelled, so that it keeps no process alive.
struct Sleep {
    promise: Option<Promise>,
    cancel: Option<Function>,
}

impl Sleep {
    fn start(callback: &Function, ms: u64) -> Self {
        let timer = argument(&ms)
            .ok()
            .and_then(|ms| callback.call1(&JsValue::UNDEFINED, &ms).ok())
            .unwrap_or(JsValue::UNDEFINED);
        let promise = Reflect::get(&timer, &JsValue::from_str("promise")).ok();
        Self {
            promise: promise.and_then(|promise| promise.dyn_into().ok()),
            cancel: function(&timer, "cancel"),
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(cancel) = &self.cancel {
            drop(cancel.call0(&JsValue::UNDEFINED));
        }
    }
}
