//! One instance's host over the shared world: every call is a place where others run, and may go wrong.

use crate::checkers::isolation;
use crate::judge;
use crate::plan::Fault;
use crate::world::{Judged, World};
use serde_json::Value;
use siltstone::host::{
    Batch, Commit, Entry, Host, HostError, HostResult, IndexLimits, LlmRequest, LogEvent,
    ProviderAnswer, ProviderRequest, Range, VectorItem, VectorMatch, VectorQuery,
};
use std::rc::Rc;

pub struct Instance {
    pub world: Rc<World>,
    pub skew: i64,
}

/// Counts what is on its way, even when it is dropped there.
struct Flight<'a>(&'a World);

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.set(self.0.in_flight.get() - 1);
    }
}

impl Instance {
    async fn store<T>(&self, what: &str, work: impl FnOnce() -> HostResult<T>) -> HostResult<T> {
        let world = &self.world;
        world.pause().await;
        if world.fails(Fault::Error) {
            world.note(|| format!("{what} fails"));
            world.pause().await;
            return Err(HostError("it was told to fail".to_owned()));
        }
        let answer = work();
        if world.fails(Fault::Lost) {
            world.note(|| format!("{what} is done, its answer lost"));
            world.pause().await;
            return Err(HostError("the answer was lost".to_owned()));
        }
        world.pause().await;
        answer
    }

    async fn service<T>(&self, what: &str, work: impl FnOnce() -> HostResult<T>) -> HostResult<T> {
        let world = &self.world;
        world.in_flight.set(world.in_flight.get() + 1);
        let _flight = Flight(world);
        if world.fails(Fault::Hang) {
            world.pause().await;
            let arrives = world.rng.chance(500);
            world.note(|| format!("{what} hangs, done: {arrives}"));
            if arrives {
                let _ = work();
            }
            return std::future::pending().await;
        }
        self.store(what, work).await
    }
}

impl Host for Instance {
    async fn get(&self, keys: &[String]) -> HostResult<Vec<Option<Entry>>> {
        isolation::keys(&self.world, "get", keys);
        let read = || {
            let store = self.world.store.borrow();
            let entry = |key: &String| {
                store.get(key).map(|(value, version)| Entry {
                    key: key.clone(),
                    value: value.clone(),
                    version: version.clone(),
                })
            };
            Ok(keys.iter().map(entry).collect())
        };
        self.store("get", read).await
    }

    async fn range(&self, range: &Range) -> HostResult<Vec<Entry>> {
        isolation::range(&self.world, range);
        let read = || {
            let store = self.world.store.borrow();
            let all = store.range(range.start.clone()..range.end.clone());
            let entries = all.map(|(key, (value, version))| Entry {
                key: key.clone(),
                value: value.clone(),
                version: version.clone(),
            });
            Ok(match range.reverse {
                true => entries.rev().take(range.limit).collect(),
                false => entries.take(range.limit).collect(),
            })
        };
        self.store("range", read).await
    }

    async fn commit(&self, batch: &Batch) -> HostResult<Commit> {
        let keys: Vec<String> = batch
            .puts
            .iter()
            .map(|put| put.key.clone())
            .chain(batch.deletes.iter().cloned())
            .chain(batch.checks.iter().map(|check| check.key.clone()))
            .collect();
        isolation::keys(&self.world, "commit", &keys);
        self.store("commit", || Ok(self.write(batch))).await
    }

    async fn cache_get(&self, key: &str) -> HostResult<Option<String>> {
        isolation::keys(&self.world, "cacheGet", &[key.to_owned()]);
        let now = self.world.now(self.skew);
        let read = || {
            let cache = self.world.cache.borrow();
            let held = cache.get(key).map_or(&[][..], Vec::as_slice);
            let at = match self.world.fails(Fault::Stale) && !held.is_empty() {
                true => held.get(self.world.rng.below(held.len())),
                false => held.last(),
            };
            let live = at.filter(|(_, expires)| *expires > now);
            Ok(live.map(|(value, _)| value.clone()))
        };
        self.store("cacheGet", read).await
    }

    async fn cache_put(&self, key: &str, value: &str, ttl_ms: u64) -> HostResult<()> {
        isolation::keys(&self.world, "cachePut", &[key.to_owned()]);
        let expires = self.world.now(self.skew).saturating_add_unsigned(ttl_ms);
        let write = || {
            let mut cache = self.world.cache.borrow_mut();
            let held = cache.entry(key.to_owned()).or_default();
            held.push((value.to_owned(), expires));
            Ok(())
        };
        self.store("cachePut", write).await
    }

    fn has_llm(&self) -> bool {
        self.world.plan.llm
    }

    async fn complete(&self, request: &LlmRequest) -> HostResult<String> {
        let answer = || Ok(judge::answer(&self.world, request));
        let (text, proposed) = self.service(request.purpose, answer).await?;
        if request.purpose == "judge" {
            self.world
                .with_running(|running| running.proposed = proposed);
        }
        Ok(text)
    }

    fn has_embeddings(&self) -> bool {
        self.world.plan.embeddings
    }

    async fn embed(&self, texts: &[String], _: u64) -> HostResult<Vec<Vec<f32>>> {
        let embed = || Ok(texts.iter().map(|text| judge::embedding(text)).collect());
        self.service("embed", embed).await
    }

    fn has_vectors(&self) -> bool {
        self.world.plan.vectors
    }

    async fn vector_upsert(&self, items: &[VectorItem], _: u64) -> HostResult<()> {
        for item in items {
            isolation::namespace(&self.world, &item.namespace);
        }
        let write = || {
            self.world
                .note(|| format!("upserts {}", ids(items.iter().map(|item| &item.id))));
            let items = items.iter().map(|item| (item.id.clone(), item.clone()));
            self.world.vectors.borrow_mut().extend(items);
            Ok(())
        };
        self.service("vectorUpsert", write).await
    }

    async fn vector_query(&self, query: &VectorQuery, _: u64) -> HostResult<Vec<VectorMatch>> {
        isolation::namespace(&self.world, &query.namespace);
        let read = || {
            let vectors = self.world.vectors.borrow();
            let of = vectors.values().filter(|item| {
                item.namespace == query.namespace && query.cubes.contains(&item.cube)
            });
            let mut found: Vec<VectorMatch> = of
                .map(|item| VectorMatch {
                    id: item.id.clone(),
                    score: item
                        .vector
                        .iter()
                        .zip(&query.vector)
                        .map(|(a, b)| f64::from(a * b))
                        .sum(),
                })
                .collect();
            found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
            found.truncate(query.top_k);
            Ok(found)
        };
        self.service("vectorQuery", read).await
    }

    async fn vector_delete(&self, namespace: &str, gone: &[String], _: u64) -> HostResult<()> {
        isolation::namespace(&self.world, namespace);
        let write = || {
            self.world
                .note(|| format!("deletes vectors {}", ids(gone.iter())));
            let mut vectors = self.world.vectors.borrow_mut();
            vectors.retain(|id, item| item.namespace != namespace || !gone.contains(id));
            Ok(())
        };
        self.service("vectorDelete", write).await
    }

    fn has_provider(&self, name: &str) -> bool {
        self.world.plan.memos && name == "memos"
    }

    async fn provider(&self, request: &ProviderRequest) -> HostResult<ProviderAnswer> {
        isolation::provider(&self.world, request);
        let answer = || {
            let mut memos = self.world.memos.borrow_mut();
            let answer = memos.answer(request);
            let kept = memos
                .kept
                .iter()
                .map(|kept| (kept.cube.clone(), kept.text.clone()));
            self.world.memos_held.borrow_mut().extend(kept);
            self.world.note(|| {
                let body = request.body.clone().unwrap_or_default();
                format!("{} {body} -> {}", request.path, answer.body)
            });
            if answer.status == 422 {
                self.world
                    .violated("memos accepts every request", answer.body.to_string());
            }
            Ok(answer)
        };
        self.service("provider", answer).await
    }

    fn index_limits(&self) -> IndexLimits {
        IndexLimits {
            memories: 3,
            changed: 2,
            bytes: 200,
        }
    }

    async fn agent(&self, _: &str, _: &str) -> HostResult<Option<Value>> {
        Ok(None)
    }

    async fn sleep(&self, ms: u64) {
        self.world.sleep(ms).await;
    }

    fn now_ms(&self) -> HostResult<i64> {
        Ok(self.world.now(self.skew))
    }

    fn random(&self, out: &mut [u8]) -> HostResult<()> {
        for byte in out {
            *byte = self.world.rng.next().to_be_bytes()[0];
        }
        Ok(())
    }

    fn log(&self, event: LogEvent) {
        self.world
            .note(|| format!("log {}: {}", event.event, event.message));
    }
}

fn ids<'a>(ids: impl Iterator<Item = &'a String>) -> String {
    ids.map(String::as_str).collect::<Vec<_>>().join(" ")
}

impl Instance {
    fn write(&self, batch: &Batch) -> Commit {
        let world = &self.world;
        let mut store = world.store.borrow_mut();
        let holds = |key: &String, version: &Option<String>| {
            store.get(key).map(|(_, version)| version) == version.as_ref()
        };
        let stale = batch
            .checks
            .iter()
            .find(|check| !holds(&check.key, &check.version));
        if let Some(stale) = stale {
            world.note(|| format!("commit conflicts at {}", stale.key));
            return Commit::Conflict;
        }
        for put in &batch.puts {
            world.note(|| format!("  put {} {}", put.key, put.value));
            store.insert(put.key.clone(), (put.value.clone(), world.version()));
        }
        for key in &batch.deletes {
            world.note(|| format!("  delete {key}"));
            store.remove(key);
            world.version();
        }
        let is_final = |value: &str| value.contains("\"done\":true");
        let consolidated = batch
            .puts
            .iter()
            .any(|put| put.key.contains("!mark!") && is_final(&put.value));
        if let (true, Some(person)) = (consolidated, world.person()) {
            let proposed = world.with_running(|running| std::mem::take(&mut running.proposed));
            let judged = proposed
                .into_iter()
                .flatten()
                .map(|content| Judged { person, content });
            world.judged.borrow_mut().extend(judged);
        }
        Commit::Done
    }
}
