//! The one module that knows JavaScript. It only converts: JavaScript → request → core →
//! JavaScript, and the host's callbacks behind the `Host` trait.

mod host;
mod room;

use crate::engine::Engine;
use crate::error::{Code, Error, Result};
use crate::host::HostError;
use crate::rest;
use crate::tokens::{self, Counter};
use crate::write::Writer;
use host::JsHost;
use js_sys::futures::future_to_promise;
use js_sys::{Function, JSON, Number, Promise, Reflect};
use serde::Serialize;
use serde_json::Value;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The engine, as the package's TypeScript drives it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Core(Rc<Engine<JsHost>>);

#[wasm_bindgen]
impl Core {
    /// An engine over these callbacks.
    #[wasm_bindgen(constructor)]
    pub fn new(callbacks: &JsValue, config: JsValue) -> std::result::Result<Core, JsValue> {
        let counter = function(callbacks, "count").map(JsCounter::of).transpose();
        from_js(config)
            .and_then(|config| Engine::new(JsHost::new(callbacks)?, config, counter?))
            .map(|engine| Core(Rc::new(engine)))
            .map_err(|error| to_error(&error))
    }

    /// The encoding whose vocabulary counts need, unless the user brought a counter.
    #[wasm_bindgen(getter)]
    pub fn vocabulary(&self) -> Option<String> {
        self.0
            .vocabulary()
            .map(|encoding| encoding.name().to_owned())
    }

    /// The encoding whose vocabulary has to be installed before a call of this name.
    #[wasm_bindgen(js_name = missingVocabulary)]
    pub fn missing_vocabulary(&self, method: &str) -> Option<String> {
        let missing = self.0.missing_vocabulary(method);
        missing.map(|encoding| encoding.name().to_owned())
    }

    /// Whether a call of this name needs the rest of the module, and it is not loaded.
    #[wasm_bindgen(js_name = missingRest)]
    pub fn missing_rest(&self, method: &str, is_cold: bool) -> bool {
        !rest::is_there() && self.0.needs_rest(method, is_cold)
    }

    /// Tokens of a text, or nothing if they are more than `limit`: a call without a request to read.
    #[wasm_bindgen(js_name = countText)]
    pub fn count_text(
        &self,
        text: &str,
        limit: usize,
    ) -> std::result::Result<Option<usize>, JsValue> {
        let count = self.0.tokens().text_within(text, limit);
        count.map_err(|error| to_error(&error))
    }

    /// Runs one call; the promise rejects with an `Error` that has a `code`.
    pub fn call(&self, method: String, request: JsValue) -> Promise {
        let engine = self.0.clone();
        future_to_promise(async move {
            let answer = async {
                let response = engine.call(&method, from_js(request)?).await?;
                from_json(&response.0)
            };
            answer.await.map_err(|error| to_error(&error))
        })
    }
}

/// Takes the vocabulary file of an encoding, once for all engines.
#[wasm_bindgen(js_name = installVocabulary)]
pub fn install_vocabulary(encoding: &str, file: Vec<u8>) -> std::result::Result<(), JsValue> {
    tokens::install_named(encoding, file).map_err(|error| to_error(&error))
}

fn from_js(value: JsValue) -> Result<Value> {
    // Through a JSON value, so that fields not known are seen here as they are natively.
    serde_wasm_bindgen::from_value(value)
        .map_err(|error| Error::new(Code::InvalidInput, format!("not a JSON value: {error}")))
}

fn to_js<T: Serialize>(value: &T) -> Result<JsValue> {
    from_json(&Writer::of(value))
}

fn from_json(json: &Writer) -> Result<JsValue> {
    let refused = |what: &str| Error::new(Code::InvalidInput, format!("not representable: {what}"));
    if json.is_beyond_js {
        return Err(refused("a whole number beyond 2^53"));
    }
    JSON::parse(&json.text).map_err(|error| refused(&fault(&error).0))
}

fn to_error(error: &Error) -> JsValue {
    let js = js_sys::Error::new(&error.message);
    let path = error
        .path
        .as_deref()
        .map_or(JsValue::UNDEFINED, JsValue::from_str);
    let details = to_js(&error.details).unwrap_or(JsValue::NULL);
    let fields = [
        ("name", JsValue::from_str("SiltstoneError")),
        ("code", JsValue::from_str(error.code.as_str())),
        ("path", path),
        ("details", details),
    ];
    for (name, value) in fields {
        // Setting a field of an object made here cannot fail.
        let _ = Reflect::set(&js, &JsValue::from_str(name), &value);
    }
    js.into()
}

fn function(object: &JsValue, name: &str) -> Option<Function> {
    Reflect::get(object, &JsValue::from_str(name))
        .ok()?
        .dyn_into()
        .ok()
}

/// A number as JavaScript writes it.
fn shown(number: f64) -> String {
    let text = Number::from(number).to_string_with_radix(10);
    text.map(String::from).unwrap_or_default()
}

fn fault(value: &JsValue) -> HostError {
    let message = Reflect::get(value, &JsValue::from_str("message"))
        .ok()
        .and_then(|message| message.as_string())
        .or_else(|| value.as_string())
        .unwrap_or_else(|| "the callback failed without a message".to_owned());
    HostError(message)
}

/// The token counter that the user brought.
#[derive(Debug)]
struct JsCounter {
    count: Function,
    id: Option<String>,
}

/// Characters of a counter's id, which is stored with every message.
const MAX_COUNTER_ID: usize = 40;

impl JsCounter {
    /// The counter that a function is, with the id that it may have.
    fn of(count: Function) -> Result<Rc<dyn Counter>> {
        let id = Reflect::get(&count, &JsValue::from_str("id")).unwrap_or(JsValue::UNDEFINED);
        let id = match id.is_undefined() {
            true => None,
            false => Some(id.as_string().unwrap_or_default()),
        };
        let fits = |id: &String| (1..=MAX_COUNTER_ID).contains(&id.chars().count());
        if id.as_ref().is_some_and(|id| !fits(id)) {
            let expected = format!("a text of 1 to {MAX_COUNTER_ID} characters");
            let message = format!("counter.id: expected {expected}");
            return Err(Error::new(Code::InvalidConfig, message)
                .with_path("counter.id")
                .with_details(serde_json::json!({ "expected": expected })));
        }
        Ok(Rc::new(Self { count, id }))
    }
}

impl Counter for JsCounter {
    fn identity(&self) -> Option<String> {
        self.id.as_ref().map(|id| format!("own:{id}"))
    }

    fn count(&self, text: &str) -> Result<usize> {
        let failed = |what: String| Error::new(Code::CounterFailed, what);
        let answer = self
            .count
            .call1(&JsValue::UNDEFINED, &JsValue::from_str(text))
            .map_err(|error| failed(format!("the token counter threw: {}", fault(&error).0)))?;
        let count = answer.as_f64().unwrap_or(f64::NAN);
        if count >= 0.0 && count <= f64::from(u32::MAX) && libm::floor(count) == count {
            return Ok(count as usize);
        }
        // Not the value itself: writing it out may run code of the user's.
        let kind = answer
            .as_f64()
            .map(shown)
            .or_else(|| answer.js_typeof().as_string())
            .unwrap_or_default();
        Err(failed(format!(
            "the token counter must give a whole number, got {kind}"
        )))
    }
}
