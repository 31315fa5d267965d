//! A collector of spans on a local port, as OTLP over HTTP has it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as AnyValue;
use opentelemetry_proto::tonic::common::v1::{AnyValue as Any, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::{Map, Value, json};

/// What was collected.
#[derive(Clone, Default)]
struct Collected(Arc<Mutex<Vec<Request>>>);

/// A request as it arrived.
#[derive(Clone)]
pub struct Request {
    /// The request line and the headers.
    pub head: String,
    pub body: Vec<u8>,
}

/// A collector that runs as long as the test.
pub struct Collector {
    address: SocketAddr,
    collected: Collected,
}

/// A span as it was exported.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    pub name: String,
    pub trace: String,
    pub id: String,
    pub parent: String,
    pub kind: i32,
    pub attributes: Map<String, Value>,
    /// The status's code, 0 unset, 1 ok or 2 error, and its description.
    pub status: (i32, String),
    /// Nanoseconds since 1970.
    pub time: (u64, u64),
    pub state: String,
}

impl Collector {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let collected = Collected::default();
        let requests = collected.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let requests = requests.clone();
                std::thread::spawn(move || take(&stream.unwrap(), &requests));
            }
        });
        Self { address, collected }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn requests(&self) -> Vec<Request> {
        self.collected.0.lock().unwrap().clone()
    }

    /// Every span so far.
    pub fn spans(&self) -> Vec<Exported> {
        let exports = self.requests().into_iter().map(|request| export(&request));
        let scopes = exports
            .flat_map(|export| export.resource_spans)
            .flat_map(|resource| resource.scope_spans);
        scopes
            .flat_map(|scope| scope.spans)
            .map(Exported::from)
            .collect()
    }

    /// The spans of one wait: its own, and those of its samples.
    pub fn wait(&self) -> (Exported, Vec<Exported>) {
        let (mut waits, samples): (Vec<_>, Vec<_>) = self
            .spans()
            .into_iter()
            .partition(|span| span.name == "orchestration.wait_for");
        assert_eq!(waits.len(), 1, "{waits:#?}");
        let wait = waits.remove(0);
        for sample in &samples {
            assert_eq!(sample.name, "mcp.tool_call");
            assert_eq!((&sample.parent, &sample.trace), (&wait.id, &wait.trace));
            assert!(wait.time.0 <= sample.time.0 && sample.time.1 <= wait.time.1);
        }
        (wait, samples)
    }

    /// The attributes of whoever exported.
    pub fn resource(&self) -> Map<String, Value> {
        let export = export(&self.requests()[0]);
        attributes(
            &export.resource_spans[0]
                .resource
                .as_ref()
                .unwrap()
                .attributes,
        )
    }
}

fn export(request: &Request) -> ExportTraceServiceRequest {
    ExportTraceServiceRequest::decode(request.body.as_slice()).unwrap()
}

/// Reads one request, and answers that all is well.
fn take(stream: &TcpStream, collected: &Collected) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse().unwrap())
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).unwrap();
    collected.0.lock().unwrap().push(Request { head, body });
    let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\n\
                  Content-Length: 0\r\nConnection: close\r\n\r\n";
    let mut stream = stream;
    stream.write_all(answer.as_bytes()).unwrap();
}

impl From<Span> for Exported {
    fn from(span: Span) -> Self {
        let hex = |id: &[u8]| id.iter().map(|byte| format!("{byte:02x}")).collect();
        let status = span.status.unwrap_or_default();
        Self {
            trace: hex(&span.trace_id),
            id: hex(&span.span_id),
            parent: hex(&span.parent_span_id),
            kind: span.kind,
            attributes: attributes(&span.attributes),
            status: (status.code, status.message),
            time: (span.start_time_unix_nano, span.end_time_unix_nano),
            state: span.trace_state,
            name: span.name,
        }
    }
}

fn attributes(pairs: &[KeyValue]) -> Map<String, Value> {
    let value = |any: &Option<Any>| match any.as_ref().unwrap().value.as_ref().unwrap() {
        AnyValue::StringValue(text) => json!(text),
        AnyValue::BoolValue(truth) => json!(truth),
        AnyValue::IntValue(number) => json!(number),
        AnyValue::DoubleValue(number) => json!(number),
        other => panic!("{other:?}"),
    };
    let pairs = pairs
        .iter()
        .map(|pair| (pair.key.clone(), value(&pair.value)));
    pairs.collect()
}
