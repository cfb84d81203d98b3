//! The ways of values into a WebAssembly module and out of it, compiled as the core is. Every function
//! gives what shows that all of it arrived.

use js_sys::{Array, Float32Array};
use serde::Serialize;
use serde_json::Value;
use wasm_bindgen::prelude::*;

fn failed(error: impl ToString) -> JsValue {
    JsValue::from_str(&error.to_string())
}

/// A value, as a text of JSON.
#[wasm_bindgen(js_name = inAsText)]
pub fn in_as_text(text: &str) -> Result<JsValue, JsValue> {
    let value: Value = serde_json::from_str(text).map_err(failed)?;
    Ok(JsValue::from_f64(size(&value)))
}

/// A value, object by object.
#[wasm_bindgen(js_name = inByParts)]
pub fn in_by_parts(value: JsValue) -> Result<JsValue, JsValue> {
    let value: Value = serde_wasm_bindgen::from_value(value).map_err(failed)?;
    Ok(JsValue::from_f64(size(&value)))
}

/// A vector, as a typed array.
#[wasm_bindgen(js_name = inAsFloats)]
pub fn in_as_floats(vector: &Float32Array) -> f64 {
    sum(&vector.to_vec())
}

/// A vector, number by number.
#[wasm_bindgen(js_name = inByNumbers)]
pub fn in_by_numbers(vector: &Array) -> f64 {
    let numbers: Vec<f32> = vector
        .iter()
        .filter_map(|number| number.as_f64())
        .map(|number| number as f32)
        .collect();
    sum(&numbers)
}

/// A vector, as a text of JSON.
#[wasm_bindgen(js_name = inAsNumbersText)]
pub fn in_as_numbers_text(text: &str) -> Result<f64, JsValue> {
    let numbers: Vec<f32> = serde_json::from_str(text).map_err(failed)?;
    Ok(sum(&numbers))
}

/// A value that is given out again and again.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Answer(Value);

#[wasm_bindgen]
impl Answer {
    /// Keeps a value.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> Result<Answer, JsValue> {
        serde_json::from_str(text).map(Answer).map_err(failed)
    }

    /// Out, as a text of JSON.
    #[wasm_bindgen(js_name = outAsText)]
    pub fn out_as_text(&self) -> Result<String, JsValue> {
        serde_json::to_string(&self.0).map_err(failed)
    }

    /// Out, object by object.
    #[wasm_bindgen(js_name = outByParts)]
    pub fn out_by_parts(&self) -> Result<JsValue, JsValue> {
        let serializer = serde_wasm_bindgen::Serializer::json_compatible();
        self.0.serialize(&serializer).map_err(failed)
    }
}

fn sum(numbers: &[f32]) -> f64 {
    numbers.iter().map(|number| f64::from(*number)).sum()
}

/// Values in a value, itself included.
fn size(value: &Value) -> f64 {
    1.0 + match value {
        Value::Array(values) => values.iter().map(size).sum(),
        Value::Object(fields) => fields.values().map(size).sum(),
        _ => 0.0,
    }
}
