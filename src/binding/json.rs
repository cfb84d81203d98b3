//! Values of JavaScript as JSON. A deserializer over them would bring a second set of every type's
//! code, and the standard library's tables for writing out what it refuses.

use js_sys::{Array, ArrayBuffer, Map, Number, Object, Symbol};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};

/// The JSON that a value is: of objects their own fields, nothing of what they inherit.
pub(crate) fn json(value: &JsValue) -> Result<Value, JsValue> {
    if value.is_null() || value.is_undefined() {
        return Ok(Value::Null);
    }
    if let Some(value) = value.as_bool() {
        return Ok(value.into());
    }
    if let Some(number) = value.as_f64() {
        return Ok(match Number::is_safe_integer(value) {
            true => (number as i64).into(),
            false => serde_json::Number::from_f64(number).into(),
        });
    }
    if let Some(text) = value.as_string() {
        return Ok(text.into());
    }
    if let Some(items) = value.dyn_ref::<Array>() {
        let items: Result<Vec<Value>, JsValue> = items.iter().map(|item| json(&item)).collect();
        return Ok(Value::Array(items?));
    }
    if value.is_bigint() {
        let whole = i64::try_from(value.clone()).map(Value::from);
        let whole = whole.or_else(|value| u64::try_from(value).map(Value::from));
        return whole.map_err(|value| refused(&value));
    }
    let fields = match value.dyn_ref::<Map>() {
        Some(map) => Object::from_entries(map)?,
        None if is_record(value) => value.clone().into(),
        None => return Err(refused(value)),
    };
    let mut record = serde_json::Map::new();
    for pair in Object::entries(&fields).iter() {
        let pair: Array = pair.unchecked_into();
        let name = pair.get(0).as_string().unwrap_or_default();
        record.insert(name, json(&pair.get(1))?);
    }
    Ok(Value::Object(record))
}

fn is_record(value: &JsValue) -> bool {
    let has_more = value.has_type::<ArrayBuffer>() || Symbol::iterator().js_in(value);
    value.is_object() && !has_more
}

fn refused(value: &JsValue) -> JsValue {
    JsValue::from_str(&format!("{value:?}"))
}
