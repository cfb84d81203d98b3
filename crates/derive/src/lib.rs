//! Derives how a type is read from JSON, for structs with named fields and enums with names only.
//!
//! What serde derives reads each type with code of its own, some 120 bytes for a field. This derives a
//! table of the fields and their places, which one function fills for all types. The attributes are
//! serde's: `default` on a struct and on fields, `rename_all`; `#[read(given)]` is a field of type
//! `Option` for which `null` is a value of what is in it, and not the absence of one.

mod attributes;
mod name;

use attributes::{Attributes, Default};
use name::Case;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DataEnum, DataStruct, DeriveInput, Error, Fields, Result};

/// Derives `read::Read`, and `Deserialize` by it.
#[proc_macro_derive(Read, attributes(serde, read))]
pub fn read(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let read = syn::parse(input).and_then(|input: DeriveInput| derive(&input));
    read.unwrap_or_else(Error::into_compile_error).into()
}

fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let own = Attributes::of(&input.attrs)?;
    let (blank, fill) = match &input.data {
        Data::Struct(data) => structure(input, data, &own)?,
        Data::Enum(data) => names(input, data, own.case)?,
        Data::Union(_) => return Err(Error::new_spanned(input, "a union is not read")),
    };
    let ident = &input.ident;
    Ok(quote! {
        impl crate::read::Fill for #ident {
            fn fill(&mut self, json: crate::read::Json<'_>) -> crate::read::Result<()> {
                #fill
            }
        }
        impl crate::read::Read for #ident {
            fn blank() -> Self {
                #blank
            }
        }
        crate::read::by_read!(#ident);
    })
}

fn structure(
    input: &DeriveInput,
    data: &DataStruct,
    own: &Attributes,
) -> Result<(TokenStream, TokenStream)> {
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(input, "fields need names"));
    };
    let (mut names, mut blanks, mut needs, mut places) = (vec![], vec![], vec![], vec![]);
    for (at, field) in fields.named.iter().enumerate() {
        let Some(ident) = &field.ident else {
            continue;
        };
        let of = Attributes::of(&field.attrs)?;
        names.push(own.case.of_field(&ident.to_string()));
        let kind = &field.ty;
        let default = match of.default {
            Default::None if matches!(own.default, Default::None) => {
                needs.push(quote! {
                    ((!<#kind as crate::read::Read>::IS_OPTIONAL) as u64) << #at
                });
                quote! { crate::read::Read::blank() }
            }
            Default::None | Default::Usual => quote! { ::std::default::Default::default() },
            Default::By(path) => quote! { #path() },
        };
        blanks.push(quote! { #ident: #default });
        places.push(match of.is_given {
            true => quote! { &mut crate::read::Given(&mut self.#ident) },
            false => quote! { &mut self.#ident },
        });
    }
    if names.len() > u64::BITS as usize {
        return Err(Error::new_spanned(input, "too many fields"));
    }
    let blank = match own.default {
        Default::None => quote! { Self { #(#blanks),* } },
        _ => quote! { ::std::default::Default::default() },
    };
    let title = format!("struct {}", input.ident);
    let fill = quote! {
        const SHAPE: &crate::read::Shape = &crate::read::Shape {
            title: #title,
            names: &[#(#names),*],
            required: 0 #(| #needs)*,
        };
        json.record(SHAPE, &mut [#(#places),*])
    };
    Ok((blank, fill))
}

fn names(input: &DeriveInput, data: &DataEnum, case: Case) -> Result<(TokenStream, TokenStream)> {
    let mut idents = data.variants.iter().map(|variant| &variant.ident);
    let names: Vec<String> = idents
        .clone()
        .map(|ident| case.of_variant(&ident.to_string()))
        .collect();
    let Some(first) = idents.next() else {
        return Err(Error::new_spanned(input, "no name could be read"));
    };
    let (others, places) = (idents.clone(), 1_usize..);
    let fill = quote! {
        *self = match json.variant(&[#(#names),*])? {
            #(#places => Self::#others,)*
            _ => Self::#first,
        };
        Ok(())
    };
    Ok((quote! { Self::#first }, fill))
}
