//! MemOS in memory, as strict as its interface: unknown and missing fields are refused, a cube that
//! was not made swallows what it is given, ids are new for every add, keys are not heeded.

use serde_json::{Value, json};
use siltstone::host::{ProviderAnswer, ProviderRequest};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    pub id: String,
    pub cube: String,
    pub text: String,
    pub tags: Value,
    info: Value,
}

#[derive(Debug, Default)]
pub struct Memos {
    cubes: BTreeSet<String>,
    pub kept: Vec<Kept>,
    ids: usize,
    /// Requests so far, by path.
    pub seen: BTreeMap<String, usize>,
}

/// Fields that must be there, and those that may.
fn fields(path: &str) -> Option<(&'static [&'static str], &'static [&'static str])> {
    Some(match path {
        "/search" => (
            &["query", "user_id"],
            &[
                "readable_cube_ids", "mode", "session_id", "top_k", "relativity", "dedup",
                "include_preference", "pref_top_k", "filter",
            ],
        ),
        "/add" => (
            &["user_id", "messages"],
            &[
                "writable_cube_ids", "async_mode", "mode", "session_id", "custom_tags", "info",
                "chat_history",
            ],
        ),
        "/delete_memory" => (&["writable_cube_ids", "memory_ids"], &[]),
        "/exist_mem_cube_id" => (&["mem_cube_id"], &[]),
        "/create_cube" => (&["cube_id", "owner_id"], &["cube_name"]),
        "/get_memory" => (
            &["mem_cube_id"],
            &[
                "user_id", "include_preference", "filter", "page", "page_size",
            ],
        ),
        _ => return None,
    })
}

fn words(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

impl Memos {
    pub fn answer(&mut self, request: &ProviderRequest) -> ProviderAnswer {
        let path = request.path.as_str();
        *self.seen.entry(path.to_owned()).or_default() += 1;
        let body = request.body.clone().unwrap_or_default();
        let refuse = |detail: String| ProviderAnswer {
            status: 422,
            body: json!({ "code": 422, "message": "invalid", "detail": [detail], "data": null }),
        };
        let Some((must, may)) = fields(path) else {
            return ProviderAnswer {
                status: 404,
                body: json!({ "detail": "Not Found" }),
            };
        };
        let object = body.as_object().cloned().unwrap_or_default();
        for name in must {
            if object.get(*name).is_none_or(Value::is_null) {
                return refuse(format!("{path}: `{name}` is missing"));
            }
        }
        for name in object.keys() {
            if !must.contains(&name.as_str()) && !may.contains(&name.as_str()) {
                return refuse(format!("{path}: `{name}` is unknown"));
            }
        }
        let data = match path {
            "/search" => self.search(&body),
            "/add" => self.add(&body),
            "/delete_memory" => self.delete(&body),
            "/exist_mem_cube_id" => {
                let cube = body["mem_cube_id"].as_str().unwrap_or_default();
                json!({ cube: self.cubes.contains(cube) })
            }
            "/create_cube" => {
                let cube = body["cube_id"].as_str().unwrap_or_default();
                json!({ "cube_id": cube, "created": self.cubes.insert(cube.to_owned()) })
            }
            _ => self.list(&body),
        };
        let body = json!({ "code": 200, "message": "ok", "data": data });
        ProviderAnswer { status: 200, body }
    }

    fn search(&self, body: &Value) -> Value {
        let asked = words(body["query"].as_str().unwrap_or_default());
        // In the order of completion, which is not that of the request.
        let cubes = texts(&body["readable_cube_ids"]).into_iter().rev();
        let buckets: Vec<Value> = cubes
            .filter(|cube| self.cubes.contains(cube))
            .map(|cube| {
                let of_cube = self.kept.iter().filter(|kept| kept.cube == cube);
                let memories: Vec<Value> = of_cube
                    .filter_map(|kept| {
                        let own = words(&kept.text);
                        let shared = own.intersection(&asked).count();
                        let score = shared as f64 / own.len().max(1) as f64;
                        (shared > 0).then(|| {
                            json!({ "id": kept.id, "memory": kept.text, "ref_id": kept.id, "metadata": {
                                "relativity": score, "status": "activated",
                                "tags": kept.tags, "info": kept.info,
                            } })
                        })
                    })
                    .collect();
                json!({ "cube_id": cube, "memories": memories })
            })
            .collect();
        json!({ "text_mem": buckets, "pref_mem": [], "act_mem": [], "para_mem": [], "pref_note": "" })
    }

    fn add(&mut self, body: &Value) -> Value {
        let mut new = Vec::new();
        for cube in texts(&body["writable_cube_ids"]) {
            for message in body["messages"].as_array().cloned().unwrap_or_default() {
                self.ids += 1;
                let kept = Kept {
                    id: format!("mem-{}", self.ids),
                    cube: cube.clone(),
                    text: message["content"].as_str().unwrap_or_default().to_owned(),
                    tags: body["custom_tags"].clone(),
                    info: body["info"].clone(),
                };
                new.push(json!({
                    "memory": kept.text, "memory_id": kept.id, "memory_type": "LongTermMemory",
                    "cube_id": cube,
                }));
                self.kept.push(kept);
            }
        }
        json!(new)
    }

    fn delete(&mut self, body: &Value) -> Value {
        let ids = texts(&body["memory_ids"]);
        let before = self.kept.len();
        self.kept.retain(|kept| !ids.contains(&kept.id));
        let status = if self.kept.len() + ids.len() == before {
            "success"
        } else {
            "failure"
        };
        json!({ "status": status })
    }

    fn list(&self, body: &Value) -> Value {
        let cube = body["mem_cube_id"].as_str().unwrap_or_default();
        let size = usize::try_from(body["page_size"].as_u64().unwrap_or(100)).unwrap_or(100);
        let page = usize::try_from(body["page"].as_u64().unwrap_or(1)).unwrap_or(1);
        let of_cube: Vec<&Kept> = self.kept.iter().filter(|kept| kept.cube == cube).collect();
        let nodes: Vec<Value> = of_cube
            .iter()
            .skip((page - 1) * size)
            .take(size)
            .map(|kept| json!({ "id": kept.id, "memory": kept.text, "metadata": {} }))
            .collect();
        json!({ "text_mem": [{ "cube_id": cube, "memories": { "nodes": nodes, "edges": [] },
            "total_nodes": of_cube.len() }] })
    }

    /// The texts that a search could find, sorted.
    pub fn contents(&self) -> Vec<String> {
        let there = self
            .kept
            .iter()
            .filter(|kept| self.cubes.contains(&kept.cube));
        let mut contents: Vec<String> = there.map(|kept| kept.text.clone()).collect();
        contents.sort();
        contents
    }
}
