//! What this process says of itself to others: its log, and its spans.
//!
//! Owns the subscriber and the exporter. Must not know which spans there are. The exporter has a
//! thread of its own, so no wait ever waits for it, and at the end it gets a moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{SpanExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData};
use stakeout::app::SPANS;
use stakeout::mcp;
use stakeout::store::{Folders, LogFile};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

const NAME: &str = "stakeout";
const DISABLED: &str = "OTEL_SDK_DISABLED";
const EXPORTER: &str = "OTEL_TRACES_EXPORTER";
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
const TRACES_PROTOCOL: &str = "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL";
const TIMEOUT: &str = "OTEL_EXPORTER_OTLP_TIMEOUT";
const TRACES_TIMEOUT: &str = "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT";
/// The one protocol that is spoken.
const HTTP_PROTOBUF: &str = "http/protobuf";
/// How long a collector may take for an answer, as the specification has it.
const ANSWER: Duration = Duration::from_secs(10);
/// How long the last spans may take on their way at the end.
const FAREWELL: Duration = Duration::from_millis(1500);

/// The subscriber's other end.
pub struct Telemetry {
    provider: Option<SdkTracerProvider>,
    problem: Option<String>,
}

impl Telemetry {
    /// Installs the log, and, where `traced` and the environment asks for it, the export of spans.
    pub fn start(traced: bool) -> Self {
        let exported = match traced {
            true => provider(&|name| std::env::var(name).ok()),
            false => Ok(None),
        };
        let (provider, problem) = match exported {
            Ok(provider) => (provider, None),
            Err(problem) => (None, Some(problem)),
        };
        let spans = provider.as_ref().map(|provider| {
            tracing_opentelemetry::layer()
                .with_tracer(provider.tracer(NAME))
                .with_location(false)
                .with_threads(false)
                .with_target(false)
                .with_tracked_inactivity(false)
                .with_filter(Targets::new().with_target(SPANS, LevelFilter::INFO))
        });
        // It is the only subscriber, so nothing can be in its way.
        let _ = tracing_subscriber::registry()
            .with(log())
            .with(spans)
            .try_init();
        if let Some(problem) = &problem {
            tracing::warn!("{problem}");
        }
        Self { provider, problem }
    }

    /// Why no spans are exported though the environment asks for it, in a sentence.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Sends what is left to send, as far as it goes within a moment.
    pub fn end(self) {
        if let Some(provider) = self.provider {
            // A collector that hangs is not waited for. Another failure is in the log already; the
            // error doesn't tell them apart.
            let began = Instant::now();
            let ended = provider.shutdown_with_timeout(FAREWELL);
            if ended.is_err() && began.elapsed() >= FAREWELL {
                tracing::warn!(
                    "the last spans may be lost: the collector doesn't answer; look whether one does \
                     at the address in {ENDPOINT}"
                );
            }
        }
    }
}

/// Logs go to a file in the state folder, warnings and worse, or as much as `STAKEOUT_LOG` says.
/// Without a home folder nothing is logged; what needs one says so itself.
fn log<S>() -> Option<impl Layer<S>>
where
    S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
{
    let folders = Folders::of_user().ok()?;
    let level = std::env::var("STAKEOUT_LOG").ok();
    let level = level.and_then(|level| level.parse().ok());
    let layer = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_writer(Arc::new(LogFile::new(folders.log())))
        .with_filter(level.unwrap_or(LevelFilter::WARN));
    Some(layer)
}

/// What exports spans, where the environment asks for it.
///
/// # Errors
/// A sentence, where it asks for what can't be done.
fn provider(read: &dyn Fn(&str) -> Option<String>) -> Result<Option<SdkTracerProvider>, String> {
    let Some(endpoint) = endpoint(read)? else {
        return Ok(None);
    };
    let (scheme, _) = endpoint.split_once("://").ok_or_else(|| {
        format!("spans can't be exported: {ENDPOINT} is no address; write http://… or https://…")
    })?;
    let client = mcp::client_builder(scheme)
        .map(reqwest::blocking::ClientBuilder::from)
        .and_then(|builder| {
            let builder = builder.redirect(reqwest::redirect::Policy::none());
            let client = builder.timeout(timeout(read)).build();
            client.map_err(|error| error.to_string())
        })
        .map_err(|cause| format!("spans can't be exported: {cause}"))?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(client)
        .build()
        .map_err(|error| format!("spans can't be exported: {error}"))?;
    let mut resource = Resource::builder()
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    if !names_service(read) {
        resource = resource.with_service_name(NAME);
    }
    let provider = SdkTracerProvider::builder()
        .with_resource(resource.build())
        .with_batch_exporter(Told {
            exporter,
            failing: AtomicBool::new(false),
        });
    Ok(Some(provider.build()))
}

/// Where spans go, if they go anywhere.
///
/// # Errors
/// A sentence, where they would have to go in a way that isn't spoken.
fn endpoint(read: &dyn Fn(&str) -> Option<String>) -> Result<Option<String>, String> {
    let set = |name: &str| {
        let value = read(name).map(|value| value.trim().to_owned());
        value.filter(|value| !value.is_empty())
    };
    if set(DISABLED).is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return Ok(None);
    }
    let exporter = set(EXPORTER);
    let endpoint = set(TRACES_ENDPOINT).or_else(|| set(ENDPOINT));
    let endpoint = match (exporter.as_deref(), endpoint) {
        (Some("none"), _) | (None, None) => return Ok(None),
        (Some("otlp") | None, Some(endpoint)) => endpoint,
        (Some("otlp"), None) => "http://localhost:4318".to_owned(),
        (Some(other), _) => {
            return Err(format!(
                "{EXPORTER} is {other}, which stakeout doesn't have; set it to otlp or none"
            ));
        }
    };
    match set(TRACES_PROTOCOL).or_else(|| set(PROTOCOL)).as_deref() {
        None | Some(HTTP_PROTOBUF) => Ok(Some(endpoint)),
        Some(other) => Err(format!(
            "no spans are exported, since stakeout speaks OTLP by {HTTP_PROTOBUF} alone, not by \
             {other}; set {PROTOCOL} to {HTTP_PROTOBUF}, and the endpoint to one such as \
             http://localhost:4318"
        )),
    }
}

fn timeout(read: &dyn Fn(&str) -> Option<String>) -> Duration {
    let millis = read(TRACES_TIMEOUT).or_else(|| read(TIMEOUT));
    let millis = millis.and_then(|millis| millis.trim().parse().ok());
    millis.map_or(ANSWER, Duration::from_millis)
}

/// Whether the environment gives this process a name of its own.
fn names_service(read: &dyn Fn(&str) -> Option<String>) -> bool {
    let named = read("OTEL_SERVICE_NAME").is_some_and(|name| !name.is_empty());
    let attributes = read("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default();
    let mut attributes = attributes
        .split(',')
        .filter_map(|pair| pair.split_once('='));
    named || attributes.any(|(key, _)| key.trim() == "service.name")
}

/// An exporter that tells the log when it begins to fail.
#[derive(Debug)]
struct Told {
    exporter: SpanExporter,
    failing: AtomicBool,
}

impl opentelemetry_sdk::trace::SpanExporter for Told {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let exported = self.exporter.export(batch).await;
        let failed_before = self.failing.swap(exported.is_err(), Ordering::Relaxed);
        match &exported {
            Err(error) if !failed_before => tracing::warn!(
                "spans can't be exported: {error}; look whether a collector answers at the address \
                 in {ENDPOINT}"
            ),
            Ok(()) if failed_before => tracing::warn!("spans can be exported again"),
            _ => {}
        }
        exported
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}
