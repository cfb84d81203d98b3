//! Polls tasks in an order drawn from the seed; between any two calls of a host an instance may die and
//! a clock may jump.

use crate::checkers;
use crate::host::Instance;
use crate::plan::{Fault, Plan};
use crate::workload::{Caller, Copy, SESSIONS, Script};
use crate::world::{PEOPLE, Running, SKEWS, Violation, World};
use serde_json::json;
use siltstone::engine::Engine;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// Polls of one run at most.
const MAX_POLLS: usize = 400_000;

struct Task {
    instance: usize,
    script: Option<Rc<Script>>,
    future: Option<Pin<Box<dyn Future<Output = ()>>>>,
    /// Until when there is no use in polling it; none while it may get on.
    asleep: Option<Option<i64>>,
}

struct Executor {
    world: Rc<World>,
    engines: Vec<Rc<Engine<Instance>>>,
    tasks: Vec<Task>,
    copies: Rc<RefCell<Vec<Copy>>>,
}

fn engine(world: &Rc<World>, instance: usize) -> Rc<Engine<Instance>> {
    let skew = if world.plan.has(Fault::Skew) {
        SKEWS[instance % 2]
    } else {
        0
    };
    let host = Instance {
        world: world.clone(),
        skew,
    };
    Rc::new(Engine::new(host, world.plan.config(), None).unwrap())
}

/// What does not hold after a run of this plan, and what led there.
pub fn run(plan: &Plan, tracing: bool) -> (Vec<Violation>, Vec<String>) {
    let world = World::new(plan.clone());
    world.tracing.set(tracing);
    let mut executor = Executor {
        engines: (0..plan.instances).map(|at| engine(&world, at)).collect(),
        tasks: Vec::new(),
        copies: Rc::default(),
        world: world.clone(),
    };
    for at in 0..plan.tasks {
        let script = Script {
            person: world.rng.below(plan.people),
            session: world.rng.pick::<&'static str>(&SESSIONS),
            agent: world.rng.chance(400).then_some("coach"),
            left: Cell::new(plan.operations),
            open: RefCell::default(),
        };
        executor.spawn(at % plan.instances, Rc::new(script));
    }
    executor.play();
    executor.rest();
    (world.violations.take(), world.trace.take())
}

impl Executor {
    fn caller(&self, instance: usize) -> Caller {
        Caller {
            world: self.world.clone(),
            engine: self.engines[instance].clone(),
            copies: self.copies.clone(),
        }
    }

    fn add(
        &mut self,
        instance: usize,
        script: Option<Rc<Script>>,
        future: Pin<Box<dyn Future<Output = ()>>>,
    ) {
        let name = format!("task {} on {instance}:", self.tasks.len());
        let running = Running {
            name,
            ..Running::default()
        };
        self.world.running.borrow_mut().push(running);
        self.tasks.push(Task {
            instance,
            script,
            future: Some(future),
            asleep: None,
        });
    }

    fn spawn(&mut self, instance: usize, script: Rc<Script>) {
        let caller = self.caller(instance);
        let of = script.clone();
        self.add(
            instance,
            Some(script),
            Box::pin(async move { caller.run(&of).await }),
        );
    }

    fn play(&mut self) {
        for polls in 0.. {
            let copies = self.copies.take();
            for copy in copies {
                let instance = self.world.rng.below(self.engines.len());
                let caller = self.caller(instance);
                self.add(
                    instance,
                    None,
                    Box::pin(async move {
                        caller.call(copy.person, &copy.method, copy.request).await;
                    }),
                );
            }
            self.go_wrong();
            let live = |task: &Task| task.future.is_some();
            let ready: Vec<usize> = (0..self.tasks.len())
                .filter(|at| live(&self.tasks[*at]) && self.tasks[*at].asleep.is_none())
                .collect();
            if !ready.is_empty() {
                let at = *self.world.rng.pick(&ready);
                self.poll(at);
            } else if self.tasks.iter().any(live) {
                if !self.wake() {
                    return self
                        .world
                        .violated("every call ends", "a call waits for nothing");
                }
            } else {
                return;
            }
            if polls > MAX_POLLS || !self.world.violations.borrow().is_empty() {
                if polls > MAX_POLLS {
                    self.world.violated("every call ends", "too many polls");
                }
                return;
            }
        }
    }

    fn poll(&mut self, at: usize) {
        let world = &self.world;
        world.current.set(at);
        world.progress.set(false);
        world.wake.set(None);
        let task = &mut self.tasks[at];
        let Some(future) = task.future.as_mut() else {
            return;
        };
        match future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(()) => task.future = None,
            Poll::Pending if world.progress.get() => {}
            Poll::Pending => task.asleep = Some(world.wake.get()),
        }
    }

    /// Time passes until the first sleeper wakes.
    fn wake(&mut self) -> bool {
        let sleeping = self.tasks.iter().filter(|task| task.future.is_some());
        let Some(at) = sleeping.filter_map(|task| task.asleep.flatten()).min() else {
            return false;
        };
        self.world.elapsed.set(self.world.elapsed.get().max(at));
        for task in &mut self.tasks {
            task.asleep = None;
        }
        true
    }

    fn go_wrong(&mut self) {
        let world = self.world.clone();
        if world.quiet.get() {
            return;
        }
        if world.plan.has(Fault::Crash)
            && world.rng.chance(world.plan.rate)
            && world.rng.chance(250)
        {
            self.crash();
        }
        if world.plan.has(Fault::Jump) && world.rng.chance(world.plan.rate) && world.rng.chance(150)
        {
            let planned = || {
                world
                    .store
                    .borrow()
                    .keys()
                    .any(|key| key.starts_with("o1!"))
            };
            let is_under_way = world.in_flight.get() > 0 || planned();
            if world.plan.memos && !world.plan.jumps_anytime && is_under_way {
                return;
            }
            let spans = [
                1_000,
                61_000,
                1_200_000,
                7_200_000,
                3 * 86_400_000,
                40 * 86_400_000,
            ];
            let span = *world.rng.pick(&spans);
            let by = if world.rng.chance(500) { span } else { -span };
            world.note(|| format!("the clock jumps by {by}"));
            world.end_leases(by);
            world.clock.set(world.clock.get() + by);
        }
    }

    fn crash(&mut self) {
        let instance = self.world.rng.below(self.engines.len());
        self.world.note(|| format!("instance {instance} dies"));
        self.engines[instance] = engine(&self.world, instance);
        let mut scripts = Vec::new();
        for task in self
            .tasks
            .iter_mut()
            .filter(|task| task.instance == instance && task.future.is_some())
        {
            task.future = None;
            scripts.extend(task.script.take());
        }
        for script in scripts {
            self.spawn(instance, script);
        }
    }

    /// Runs one call after the other.
    fn alone(&mut self, future: impl Future<Output = ()> + 'static) {
        self.add(0, None, Box::pin(future));
        self.play();
    }

    /// Faults stop: what is open is done, and everything must be as it should.
    fn rest(&mut self) {
        let world = self.world.clone();
        if !world.violations.borrow().is_empty() {
            return;
        }
        world.quiet.set(true);
        let plan = Plan {
            faults: Vec::new(),
            ..world.plan.clone()
        };
        let fresh = || {
            let host = Instance {
                world: world.clone(),
                skew: 0,
            };
            Rc::new(Engine::new(host, plan.config(), None).unwrap())
        };
        let warm: Vec<Caller> = (0..self.engines.len()).map(|at| self.caller(at)).collect();
        self.engines = vec![fresh(), fresh(), fresh()];
        let (stored, anew) = (self.caller(1), self.caller(2));
        world.note(|| "faults stop".to_owned());
        // The longest lease runs out.
        world.elapsed.set(world.elapsed.get() + 660_000);
        let caller = self.caller(0);
        let of = world.clone();
        self.alone(async move {
            let sessions: Vec<(usize, String)> = of.sent.borrow().keys().cloned().collect();
            for (person, session) in sessions {
                let person_of = &PEOPLE[person];
                let scope = json!({ "tenant": person_of.tenant, "user": person_of.user, "session": session });
                let request = json!({ "scope": scope });
                let end = || caller.call(Some(person), "endSession", request.clone());
                let mut ended = end().await;
                if ended.as_ref().is_some_and(|ended| ended["status"] == "busy") {
                    // A lock holds a session for twice its time at most, however clocks were set.
                    of.elapsed.set(of.elapsed.get() + 1_260_000);
                    ended = end().await;
                }
                let status = ended.map(|ended| ended["status"].clone());
                if !matches!(status.as_ref().and_then(|status| status.as_str()), Some("done" | "nothing_new")) {
                    of.violated("a session can be ended once faults have stopped", format!("{status:?}"));
                }
            }
            // Clocks that were ahead are caught up with.
            let behind = of.latest.get() - of.now(0);
            of.clock.set(of.clock.get() + behind.max(0) + 60_000);
            for _ in 0..3 {
                let done = caller.call(None, "maintain", json!({})).await;
                if done.is_some_and(|done| done["failed"] != 0) {
                    of.violated("maintain works once faults have stopped", "");
                }
            }
            checkers::outbox::drain(&caller).await;
            checkers::judged::at_end(&of);
            checkers::limits::at_end(&of);
            checkers::messages::at_end(&of);
            checkers::vectors::at_end(&of);
            checkers::indexes::at_end(&of, &warm, &stored, &anew).await;
            checkers::doubles::at_end(&of, plan.tasks == 1 && !of.plan.has(Fault::Twice));
        });
        world.running.borrow_mut().clear();
    }
}
