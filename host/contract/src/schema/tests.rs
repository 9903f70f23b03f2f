use super::*;

#[test]
fn every_schema_compiles_and_is_an_object() {
    for (file, schema) in all() {
        assert!(schema.validator().is_some(), "{file}");
        assert_eq!(schema.shown()["type"], "object", "{file}");
    }
}

/// Strict clients refuse boolean and empty schemas, and properties without a type.
fn every_property_has_a_type(file: &str, schema: &Value) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        assert!(!property["type"].is_null(), "{file}: {name} has no type");
        every_property_has_a_type(file, property);
        every_property_has_a_type(file, &property["items"]);
    }
    for branch in schema["oneOf"].as_array().into_iter().flatten() {
        assert_eq!(branch["additionalProperties"], false, "{file}: a branch is open");
        every_property_has_a_type(file, branch);
    }
}

#[test]
fn every_property_of_every_branch_has_a_type() {
    for (file, schema) in all() {
        every_property_has_a_type(file, schema.shown());
    }
}

#[test]
fn what_is_required_is_described() {
    for (file, schema) in all() {
        let branches = schema.shown()["oneOf"].as_array().cloned();
        for branch in branches.unwrap_or_else(|| vec![schema.shown().clone()]) {
            for name in branch["required"].as_array().into_iter().flatten() {
                let name = name.as_str().unwrap();
                assert!(branch["properties"][name].is_object(), "{file}: {name}");
            }
        }
    }
}
