//! Writes the two modules of a plan. The rest takes memory, table, globals and functions from the first
//! part; of the first part, only the cuts call the rest, through places in the table that are empty until
//! it is loaded.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result};
use wasm_encoder::reencode::{Error, Reencode, RoundtripReencoder, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, CustomSection, DataSection, ElementSection, Elements, EntityType,
    ExportKind, ExportSection, Function, FunctionSection, GlobalSection, ImportSection, Module,
    RefType, TableSection, TableType,
};
use wasmparser::ExternalKind;

use crate::plan::{Plan, Taken};

/// The first part, as the rest imports it.
const FIRST: &str = "m";

impl Plan<'_> {
    /// What a program starts with, for wasm-bindgen.
    pub fn first_part(&self) -> Result<Vec<u8>> {
        let linked = self.linked;
        let imported = linked.imported.len() as u32;
        let mut code = Code::of((0..imported).chain(self.first.iter().copied()));
        let mut functions = FunctionSection::new();
        let mut bodies = CodeSection::new();
        for index in &self.first {
            functions.function(linked.type_of(*index));
            if *index == self.look {
                bodies.function(&self.look()?);
            } else if let Some(place) = self.cuts.get(index) {
                bodies.function(&self.cut(*index, *place)?);
            } else {
                code.parse_function_body(&mut bodies, linked.body(*index).clone())?;
            }
        }

        let mut places = self.places(&code, imported);
        let mut exports = ExportSection::new();
        for export in &linked.exports {
            let index = match export.kind {
                ExternalKind::Func => code.functions[&export.index],
                _ => export.index,
            };
            exports.export(export.name, code.export_kind(export.kind)?, index);
        }
        exports.export(&self.linked.table_name(), ExportKind::Table, 0);
        let mut bridges = imported + self.first.len() as u32..;
        for (name, taken) in &self.taken {
            match taken {
                // An export for each function would take as much as many of the functions.
                Taken::Function(index) if self.bridged.contains(index) => {
                    functions.function(linked.type_of(*index));
                    bodies.function(&self.bridge(*index, code.functions[index])?);
                    places.extend(bridges.next().map(|bridge| (*name, bridge)));
                }
                Taken::Function(index) => drop(places.insert(*name, code.functions[index])),
                Taken::Global(index) => {
                    exports.export(&global(*index), ExportKind::Global, *index);
                }
            }
        }

        let mut imports = ImportSection::new();
        for import in &linked.imported {
            imports.import(import.module, import.name, EntityType::Function(import.ty));
        }
        let mut tables = TableSection::new();
        tables.table(self.table());
        let mut globals = GlobalSection::new();
        utils::parse_global_section(
            &mut RoundtripReencoder,
            &mut globals,
            linked.globals.clone(),
        )?;
        let mut module = Module::new();
        module.section(&linked.types()?);
        module
            .section(&imports)
            .section(&functions)
            .section(&tables);
        module.section(&linked.memory()?);
        module.section(&globals).section(&exports);
        module.section(&elements(places));
        module.section(&bodies).section(&data(&self.first_data));
        for (name, bytes) in &linked.customs {
            module.section(&CustomSection {
                name: (*name).into(),
                data: (*bytes).into(),
            });
        }
        Ok(module.finish())
    }

    /// What is loaded when it is needed.
    pub fn rest(&self) -> Result<Vec<u8>> {
        let linked = self.linked;
        let mut imports = ImportSection::new();
        let (mut functions, mut globals) = (Vec::new(), HashMap::new());
        for (name, taken) in &self.taken {
            match taken {
                Taken::Function(index) => {
                    functions.push(*index);
                    let ty = EntityType::Function(linked.type_of(*index));
                    imports.import(FIRST, &name.to_string(), ty);
                }
                Taken::Global(index) => {
                    globals.insert(*index, globals.len() as u32);
                    let ty = linked.global_types[*index as usize];
                    let ty = EntityType::Global(RoundtripReencoder.global_type(ty)?);
                    imports.import(FIRST, &global(*index), ty);
                }
            }
        }
        let table = EntityType::Table(self.table());
        imports.import(FIRST, &linked.table_name(), table);
        let memory = RoundtripReencoder.memory_type(linked.memory_type)?;
        imports.import(FIRST, linked.memory_name()?, EntityType::Memory(memory));

        let imported = functions.len() as u32;
        let mut code = Code::of(functions.into_iter().chain(self.rest.iter().copied()));
        code.globals = Some(globals);
        let mut functions = FunctionSection::new();
        let mut bodies = CodeSection::new();
        for index in &self.rest {
            functions.function(linked.type_of(*index));
            code.parse_function_body(&mut bodies, linked.body(*index).clone())?;
        }
        let mut places = self.places(&code, imported);
        let cuts = self.cuts.iter();
        places.extend(cuts.map(|(index, place)| (*place, code.functions[index])));
        let mut module = Module::new();
        module.section(&linked.types()?);
        module.section(&imports).section(&functions);
        module.section(&elements(places));
        module.section(&bodies).section(&data(&self.rest_data));
        Ok(module.finish())
    }

    /// Whether the rest has taken its places in the table.
    fn look(&self) -> Result<Function> {
        let place = self.cuts.values().next().context("no cut")?;
        let mut body = Function::new([]);
        let mut write = body.instructions();
        write.i32_const(*place as i32).table_get(0);
        write.ref_is_null().i32_eqz().end();
        Ok(body)
    }

    fn cut(&self, index: u32, place: u32) -> Result<Function> {
        let mut body = Function::new([]);
        for parameter in 0..self.linked.parameters(index)? {
            body.instructions().local_get(parameter);
        }
        let ty = self.linked.type_of(index);
        let mut write = body.instructions();
        write.i32_const(place as i32).call_indirect(0, ty).end();
        Ok(body)
    }

    fn bridge(&self, index: u32, to: u32) -> Result<Function> {
        let mut body = Function::new([]);
        for parameter in 0..self.linked.parameters(index)? {
            body.instructions().local_get(parameter);
        }
        body.instructions().call(to).end();
        Ok(body)
    }

    /// The functions that a part itself has at their places in the table, which stay what they were. The
    /// place of a cut is for the first part's own.
    fn places(&self, code: &Code, imported: u32) -> BTreeMap<u32, u32> {
        let is_rest = code.globals.is_some();
        let elements = self.linked.elements.iter();
        let here = elements.filter_map(|(place, function)| {
            let index = *code.functions.get(function)?;
            let is_own = !is_rest || index >= imported && !self.cuts.contains_key(function);
            is_own.then_some((*place, index))
        });
        here.collect()
    }

    fn table(&self) -> TableType {
        let added = self.cuts.len() + self.taken.len();
        let size = u64::from(self.linked.table_size) + added as u64;
        TableType {
            element_type: RefType::FUNCREF,
            table64: false,
            minimum: size,
            maximum: Some(size),
            shared: false,
        }
    }
}

fn global(index: u32) -> String {
    format!("g{index}")
}

fn elements(places: BTreeMap<u32, u32>) -> ElementSection {
    let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
    for (place, function) in places {
        match runs.last_mut() {
            Some((start, run)) if place == *start + run.len() as u32 => run.push(function),
            _ => runs.push((place, vec![function])),
        }
    }
    let mut section = ElementSection::new();
    for (start, run) in runs {
        let start = ConstExpr::i32_const(start as i32);
        section.active(None, &start, Elements::Functions(run.into()));
    }
    section
}

fn data(runs: &[(u32, &[u8])]) -> DataSection {
    let mut section = DataSection::new();
    for (address, bytes) in runs {
        let address = ConstExpr::i32_const(*address as i32);
        section.active(0, &address, bytes.iter().copied());
    }
    section
}

/// Writes bodies with the indices that functions and globals have in a part.
struct Code {
    functions: HashMap<u32, u32>,
    globals: Option<HashMap<u32, u32>>,
}

impl Code {
    fn of(functions: impl Iterator<Item = u32>) -> Self {
        Self {
            functions: functions.zip(0..).collect(),
            globals: None,
        }
    }
}

/// A part that refers to what it has not: a fault of the plan.
#[derive(Debug)]
pub struct Missing(u32);

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "function {} is not in the part that refers to it",
            self.0
        )
    }
}

impl std::error::Error for Missing {}

impl Reencode for Code {
    type Error = Missing;

    fn function_index(&mut self, index: u32) -> Result<u32, Error<Missing>> {
        let found = self.functions.get(&index).copied();
        found.ok_or(Error::UserError(Missing(index)))
    }

    fn global_index(&mut self, index: u32) -> Result<u32, Error<Missing>> {
        match &self.globals {
            Some(globals) => Ok(globals[&index]),
            None => Ok(index),
        }
    }
}
