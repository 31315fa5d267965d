// What a caller of `stakeout serve` does, by the TypeScript SDKs: `typescript_caller.mjs SDK stdio COMMAND…` or
// `typescript_caller.mjs SDK http URL`, where SDK is `sdk` (version 1) or `client` (version 2). Prints what came of
// it as JSON.

const [sdk, kind, ...rest] = process.argv.slice(2);

async function parts() {
  if (sdk === "sdk") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    return { Client, StdioClientTransport, StreamableHTTPClientTransport };
  }
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  return { Client, StdioClientTransport, StreamableHTTPClientTransport };
}

const { Client, StdioClientTransport, StreamableHTTPClientTransport } = await parts();
const client = new Client({ name: "caller", version: "1" });
await client.connect(
  kind === "http"
    ? new StreamableHTTPClientTransport(new URL(rest[0]))
    : new StdioClientTransport({ command: rest[0], args: rest.slice(1) }),
);

function wait(tool, until, more = {}) {
  return { probe: { server: "lab", tool, args: {} }, until, poll_sec: 1, ...more };
}

function send(name, args, options) {
  const params = { name, arguments: args };
  return sdk === "sdk" ? client.callTool(params, undefined, options) : client.callTool(params, options);
}

async function call(name, args, options) {
  const result = await send(name, args, options);
  const content = JSON.parse(result.content[0].text);
  if (JSON.stringify(content) !== JSON.stringify(result.structuredContent)) throw new Error("text and structure differ");
  return { is_error: result.isError === true, content };
}

const found = { server: client.getServerVersion()?.name };
// Both versions check every answer against the output schema of the tools they listed.
found.tools = (await client.listTools()).tools.map((tool) => tool.name);
found.told = [];
const onprogress = (progress) => found.told.push(progress.message);
found.matched = await call("wait_for", wait("count", { matches: "call 2" }), { onprogress });
found.refusal = await call("wait_for", wait("count", { matches: "(" }));
found.error = await call("wait_for", wait("bad-params", { matches: "x" }));
found.timeout = await call("wait_for", wait("count", { matches: "never" }, { max_wait_sec: 2 }));
const controller = new AbortController();
const hanging = send("wait_for", wait("hang", { matches: "x" }), { signal: controller.signal });
setTimeout(() => controller.abort("enough"), 500);
found.cancelled = await hanging.then(() => false, () => true);
// The session is as good as before.
found.after = await call("list_probes", { server: "lab", filter: "count" });
await client.close();
console.log(JSON.stringify(found));
