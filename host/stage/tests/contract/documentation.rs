//! Who reads only the WIT learns everything that it promises.

use wit_parser::{Docs, Resolve, TypeDefKind};

use crate::common::{contract, here, push, wit_files};

#[test]
fn every_item_of_the_package_says_what_it_is() {
    let mut resolve = Resolve::default();
    let package = push(&mut resolve, &contract());
    let mut bare = Vec::new();
    let mut look = |docs: &Docs, name: String| {
        if docs.contents.as_deref().unwrap_or_default().trim().is_empty() {
            bare.push(name);
        }
    };
    let package = &resolve.packages[package];
    look(&package.docs, package.name.to_string());
    for (name, world) in &package.worlds {
        look(&resolve.worlds[*world].docs, name.clone());
    }
    for (interface, id) in &package.interfaces {
        let id = &resolve.interfaces[*id];
        look(&id.docs, interface.clone());
        for (name, function) in &id.functions {
            look(&function.docs, format!("{interface}.{name}"));
        }
        for (name, ty) in &id.types {
            let ty = &resolve.types[*ty];
            match &ty.kind {
                // A name that is used from another interface is described there.
                TypeDefKind::Type(_) => continue,
                TypeDefKind::Enum(cases) => cases.cases.iter().for_each(|case| {
                    look(&case.docs, format!("{interface}.{name}.{}", case.name));
                }),
                TypeDefKind::Variant(cases) => cases.cases.iter().for_each(|case| {
                    look(&case.docs, format!("{interface}.{name}.{}", case.name));
                }),
                TypeDefKind::Record(record) => record.fields.iter().for_each(|field| {
                    look(&field.docs, format!("{interface}.{name}.{}", field.name));
                }),
                _ => {}
            }
            look(&ty.docs, format!("{interface}.{name}"));
        }
    }
    assert!(bare.is_empty(), "without a doc comment: {bare:#?}");
}

#[test]
fn the_drafts_fit_the_package() {
    let mut resolve = Resolve::default();
    push(&mut resolve, &contract());
    let drafts = push(&mut resolve, &wit_files(&here("../../wit/draft")));
    assert!(resolve.select_world(&[drafts], Some("everything-planned")).is_ok());
}
