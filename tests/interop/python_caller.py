"""What a caller of `stakeout serve` does, by the Python SDK: `python_caller.py MODE stdio COMMAND…`
or `python_caller.py MODE http URL`, where MODE is `auto` or `legacy`. Prints what came of it as JSON."""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


def wait(tool, until, **more):
    return {"probe": {"server": "lab", "tool": tool, "args": {}}, "until": until, "poll_sec": 1, **more}


async def call(client, tool, arguments, **options):
    result = await client.call_tool(tool, arguments, **options)
    text = json.loads(result.content[0].text)
    assert text == result.structured_content, "text and structure differ"
    return {"is_error": bool(result.is_error), "content": text}


async def main(mode, kind, *rest):
    server = rest[0] if kind == "http" else StdioServerParameters(command=rest[0], args=list(rest[1:]))
    found = {}
    async with Client(server, mode=mode) as client:
        found["protocol"] = client.protocol_version
        listed = await client.list_tools()
        found["tools"] = [tool.name for tool in listed.tools]
        told = []

        async def hear(progress, total, message):
            told.append(message)

        until = {"matches": "call 2"}
        found["matched"] = await call(client, "wait_for", wait("count", until), progress_callback=hear)
        found["told"] = told
        found["refusal"] = await call(client, "wait_for", wait("count", {"matches": "("}))
        found["error"] = await call(client, "wait_for", wait("bad-params", {"matches": "x"}))
        until = {"matches": "never"}
        found["timeout"] = await call(client, "wait_for", wait("count", until, max_wait_sec=2))
        hanging = asyncio.create_task(client.call_tool("wait_for", wait("hang", {"matches": "x"})))
        await asyncio.sleep(0.5)
        hanging.cancel()
        try:
            await hanging
        except asyncio.CancelledError:
            found["cancelled"] = True
        # The session is as good as before.
        found["after"] = await call(client, "list_probes", {"server": "lab", "filter": "count"})
    print(json.dumps(found))


asyncio.run(main(*sys.argv[1:]))
