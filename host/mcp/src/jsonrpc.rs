//! JSON-RPC 2.0 as MCP uses it: one message a body, ids that are strings or integers, parameters
//! that are objects.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value, json};

use crate::error::{INVALID_REQUEST, PARSE_ERROR, RpcError};

/// The id of a request, kept in the type in which it came.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RequestId {
    /// An integer.
    Number(Number),
    /// Text.
    Text(String),
}

impl RequestId {
    /// An id or a progress token, if the value can be one.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Number(number) if number.is_i64() || number.is_u64() => {
                Some(Self::Number(number.clone()))
            }
            _ => None,
        }
    }

    /// As the wire has it.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::String(text.clone()),
        }
    }
}

impl std::fmt::Display for RequestId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Parameters of a message; empty where it has none.
pub type Params = Map<String, Value>;

/// A message from a client.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Message {
    /// It wants an answer.
    Request {
        /// To be repeated in the answer.
        id: RequestId,
        /// What to do.
        method: String,
        /// With what.
        params: Params,
    },
    /// It wants none.
    Notification {
        /// What happened.
        method: String,
        /// The details.
        params: Params,
    },
    /// It is the answer to a request of the server.
    Response {
        /// The id of that request.
        id: RequestId,
        /// The result, or the error.
        outcome: Result<Value, RpcError>,
    },
}

/// A body that is no message, with the id if it could still be read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Malformed {
    /// The id, to be repeated in the error.
    pub(crate) id: Option<RequestId>,
    /// What is wrong.
    pub(crate) error: RpcError,
}

/// Reads one message.
///
/// # Errors
///
/// [`Malformed`] with `-32700` if the body is not JSON, else with `-32600`.
pub(crate) fn parse(body: &[u8]) -> Result<Message, Malformed> {
    let value: Value = serde_json::from_slice(body).map_err(|_| Malformed {
        id: None,
        error: RpcError::new(PARSE_ERROR, "the body is not JSON"),
    })?;
    let mut object = match value {
        Value::Object(object) => object,
        Value::Array(_) => return Err(invalid(None, "batches are not served; send one message")),
        _ => return Err(invalid(None, "a message is a JSON object")),
    };
    let id = object.get("id").and_then(RequestId::read);
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid(id, "`jsonrpc` is not \"2.0\""));
    }
    if id.is_none() && object.contains_key("id") {
        return Err(invalid(None, "`id` is neither a string nor an integer"));
    }
    match object.remove("method") {
        None => response(id, object),
        Some(Value::String(method)) => {
            let params = match object.remove("params") {
                None => Params::new(),
                Some(Value::Object(params)) => params,
                Some(_) => return Err(invalid(id, "`params` is not an object")),
            };
            Ok(match id {
                Some(id) => Message::Request { id, method, params },
                None => Message::Notification { method, params },
            })
        }
        Some(_) => Err(invalid(id, "`method` is not a string")),
    }
}

fn response(id: Option<RequestId>, mut object: Map<String, Value>) -> Result<Message, Malformed> {
    let Some(id) = id else {
        return Err(invalid(None, "neither `method` nor `id` is there"));
    };
    match (object.remove("result"), object.remove("error")) {
        (Some(result), None) => Ok(Message::Response { id, outcome: Ok(result) }),
        (None, Some(error)) => match serde_json::from_value::<RpcError>(error) {
            Ok(error) => Ok(Message::Response { id, outcome: Err(error) }),
            Err(_) => Err(invalid(Some(id), "`error` is not an error object")),
        },
        _ => Err(invalid(Some(id), "one of `method`, `result` and `error` must be there")),
    }
}

fn invalid(id: Option<RequestId>, message: &str) -> Malformed {
    Malformed { id, error: RpcError::new(INVALID_REQUEST, message) }
}

/// The answer to a request.
pub(crate) fn answer(id: &RequestId, outcome: Result<Value, RpcError>) -> Value {
    match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(error) => json!({ "jsonrpc": "2.0", "id": id, "error": error }),
    }
}

/// An error about a message, whose id may not be known.
pub(crate) fn failure(id: Option<&RequestId>, error: &RpcError) -> Value {
    match id {
        Some(id) => json!({ "jsonrpc": "2.0", "id": id, "error": error }),
        None => json!({ "jsonrpc": "2.0", "error": error }),
    }
}

/// A notification.
pub(crate) fn notification(method: &str, params: Value) -> Value {
    if params.as_object().is_some_and(Map::is_empty) {
        return json!({ "jsonrpc": "2.0", "method": method });
    }
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// A request of the server.
pub(crate) fn request(id: &str, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

#[cfg(test)]
mod tests;
