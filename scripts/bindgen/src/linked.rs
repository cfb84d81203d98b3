//! A linked module, taken apart.

use std::hash::{DefaultHasher, Hasher};

use anyhow::{Context, Result, bail, ensure};
use wasm_encoder::reencode::{Reencode, RoundtripReencoder, utils};
use wasm_encoder::{CodeSection, Encode, MemorySection, TypeSection};
use wasmparser::{
    DataKind, ElementItems, ElementKind, Export, ExternalKind, FunctionBody, GlobalSectionReader,
    GlobalType, MemorySectionReader, MemoryType, Operator, Parser, Payload, SectionLimited,
    TypeRef, TypeSectionReader,
};

/// An imported function.
pub struct Import<'a> {
    pub module: &'a str,
    pub name: &'a str,
    pub ty: u32,
}

/// A data segment.
pub struct Segment<'a> {
    pub address: u32,
    pub bytes: &'a [u8],
}

pub struct Linked<'a> {
    pub imported: Vec<Import<'a>>,
    defined: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
    pub exports: Vec<Export<'a>>,
    pub globals: GlobalSectionReader<'a>,
    pub global_types: Vec<GlobalType>,
    pub table_size: u32,
    /// Places in the table, and the functions there.
    pub elements: Vec<(u32, u32)>,
    pub memory_type: MemoryType,
    pub data: Vec<Segment<'a>>,
    /// Sections for wasm-bindgen.
    pub customs: Vec<(&'a str, &'a [u8])>,
    types: TypeSectionReader<'a>,
    memories: MemorySectionReader<'a>,
    /// A number of all that is in the module.
    build: u64,
}

impl<'a> Linked<'a> {
    pub fn read(wasm: &'a [u8]) -> Result<Self> {
        let mut imported = Vec::new();
        let mut defined = Vec::new();
        let mut bodies = Vec::new();
        let mut exports = Vec::new();
        let mut globals = None;
        let mut table_size = None;
        let mut elements = Vec::new();
        let mut data = Vec::new();
        let mut customs = Vec::new();
        let mut types = None;
        let mut memories = None;
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::TypeSection(section) => types = Some(section),
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let import = import?;
                        let TypeRef::Func(ty) = import.ty else {
                            bail!("an import that is not a function: {}", import.name);
                        };
                        imported.push(Import {
                            module: import.module,
                            name: import.name,
                            ty,
                        });
                    }
                }
                Payload::FunctionSection(section) => defined = collect(section)?,
                Payload::TableSection(section) => {
                    ensure!(section.count() == 1, "more than one table");
                    for table in section {
                        table_size = Some(u32::try_from(table?.ty.initial)?);
                    }
                }
                Payload::MemorySection(section) => memories = Some(section),
                Payload::GlobalSection(section) => globals = Some(section),
                Payload::ExportSection(section) => exports = collect(section)?,
                Payload::StartSection { .. } => bail!("a start function"),
                Payload::ElementSection(section) => {
                    for segment in section {
                        let segment = segment?;
                        let ElementKind::Active { offset_expr, .. } = segment.kind else {
                            bail!("elements that are not active");
                        };
                        let ElementItems::Functions(functions) = segment.items else {
                            bail!("elements that are not functions");
                        };
                        let start = constant(&offset_expr)?;
                        let places = (start..).zip(collect(functions)?);
                        elements.extend(places);
                    }
                }
                Payload::CodeSectionEntry(body) => bodies.push(body),
                Payload::DataSection(section) => {
                    for segment in section {
                        let segment = segment?;
                        let DataKind::Active { offset_expr, .. } = segment.kind else {
                            bail!("data that are not active");
                        };
                        data.push(Segment {
                            address: constant(&offset_expr)?,
                            bytes: segment.data,
                        });
                    }
                }
                Payload::CustomSection(section) => {
                    let name = section.name();
                    if name != "linking" && name != "name" && !name.starts_with("reloc.") {
                        customs.push((name, section.data()));
                    }
                }
                _ => {}
            }
        }
        let globals = globals.context("globals")?;
        let memories = memories.context("a memory")?;
        let kinds = globals.clone().into_iter().map(|global| Ok(global?.ty));
        let mut build = DefaultHasher::new();
        build.write(wasm);
        Ok(Self {
            build: build.finish(),
            imported,
            defined,
            bodies,
            exports,
            global_types: kinds.collect::<Result<_>>()?,
            globals,
            table_size: table_size.context("a table")?,
            elements,
            memory_type: memories.clone().into_iter().next().context("a memory")??,
            data,
            customs,
            types: types.context("types")?,
            memories,
        })
    }

    pub fn functions(&self) -> u32 {
        (self.imported.len() + self.defined.len()) as u32
    }

    pub fn type_of(&self, function: u32) -> u32 {
        let at = function as usize;
        match self.imported.get(at) {
            Some(import) => import.ty,
            None => self.defined[at - self.imported.len()],
        }
    }

    pub fn parameters(&self, function: u32) -> Result<u32> {
        let ty = self.type_of(function) as usize;
        let types = self.types.clone().into_iter_err_on_gc_types();
        let ty = types.into_iter().nth(ty).context("a type")??;
        Ok(ty.params().len() as u32)
    }

    pub fn body(&self, function: u32) -> &FunctionBody<'a> {
        &self.bodies[function as usize - self.imported.len()]
    }

    /// The bytes of a body, without the padding that relocations need.
    pub fn compact(&self, function: u32) -> Result<Vec<u8>> {
        let mut section = CodeSection::new();
        RoundtripReencoder.parse_function_body(&mut section, self.body(function).clone())?;
        let mut bytes = Vec::new();
        section.encode(&mut bytes);
        Ok(bytes)
    }

    pub fn types(&self) -> Result<TypeSection> {
        let mut section = TypeSection::new();
        utils::parse_type_section(&mut RoundtripReencoder, &mut section, self.types.clone())?;
        Ok(section)
    }

    pub fn memory(&self) -> Result<MemorySection> {
        let mut section = MemorySection::new();
        utils::parse_memory_section(&mut RoundtripReencoder, &mut section, self.memories.clone())?;
        Ok(section)
    }

    /// What the first part exports its table of functions as, and the rest imports. Parts of different
    /// builds have other functions in the same places: they must not come together.
    pub fn table_name(&self) -> String {
        format!("t{:016x}", self.build)
    }

    pub fn memory_name(&self) -> Result<&'a str> {
        let memory = self
            .exports
            .iter()
            .find(|export| export.kind == ExternalKind::Memory);
        Ok(memory.context("the memory is not exported")?.name)
    }
}

fn collect<'a, T: wasmparser::FromReader<'a>>(section: SectionLimited<'a, T>) -> Result<Vec<T>> {
    Ok(section.into_iter().collect::<wasmparser::Result<_>>()?)
}

fn constant(expression: &wasmparser::ConstExpr<'_>) -> Result<u32> {
    match expression.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(value as u32),
        other => bail!("an address that is not constant: {other:?}"),
    }
}
