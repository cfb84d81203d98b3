//! What the attributes of a type or of a field say.

use crate::name::Case;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, LitStr, Path, Result};

#[derive(Default)]
pub(crate) struct Attributes {
    pub(crate) case: Case,
    pub(crate) default: self::Default,
    pub(crate) is_given: bool,
}

/// What stands for a field that is missing.
#[derive(Default)]
pub(crate) enum Default {
    /// It must be there.
    #[default]
    None,
    /// The default of its type.
    Usual,
    /// What a function gives.
    By(Path),
}

impl Attributes {
    pub(crate) fn of(attributes: &[Attribute]) -> Result<Self> {
        let mut all = Self::default();
        for attribute in attributes {
            if attribute.path().is_ident("serde") {
                attribute.parse_nested_meta(|meta| all.take(&meta))?;
            } else if attribute.path().is_ident("read") {
                attribute.parse_nested_meta(|meta| {
                    all.is_given = meta.path.is_ident("given");
                    all.is_given
                        .then_some(())
                        .ok_or_else(|| meta.error("not known"))
                })?;
            }
        }
        Ok(all)
    }

    fn take(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let text = || meta.value()?.parse::<LitStr>();
        if meta.path.is_ident("default") {
            self.default = match meta.input.peek(syn::Token![=]) {
                true => Default::By(text()?.parse()?),
                false => Default::Usual,
            };
        } else if meta.path.is_ident("rename_all") {
            let case = text()?;
            let known = Case::of(&case.value());
            self.case = known.ok_or_else(|| syn::Error::new_spanned(case, "not known"))?;
        } else if meta.path.is_ident("skip_serializing_if") {
            // For those who write it.
            text()?;
        } else {
            return Err(meta.error("not known to those who read"));
        }
        Ok(())
    }
}
