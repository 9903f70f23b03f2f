"""An agent on the first line of the Python SDK. It plays one scene and prints what it has met as
one line of JSON."""

import asyncio
import json
import sys

import mcp.types as types
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

URL, SCENE, ASSET = sys.argv[1:4]
MET = {"asked": 0, "statuses": []}


async def asked(_context, _params):
    MET["asked"] += 1
    content = {"approved": SCENE != "rejected"}
    return types.ElicitResult(action="accept", content=content)


async def plainly(session, arguments):
    begun = await session.call_tool("video_render", arguments)
    ask = {"render_id": begun.structuredContent["render_id"]}
    if SCENE == "plain-elicitation":
        ask["wait_ms"] = 20000
    while True:
        status = await session.call_tool("video_get_render_status", ask)
        MET["result"] = status.structuredContent
        if MET["result"]["terminal"]:
            return
        pending = MET["result"].get("pending_input")
        if pending and SCENE == "plain":
            await session.call_tool(pending["tool"], pending["arguments"])
        await asyncio.sleep(0.2)


async def as_task(session, arguments):
    tasks = session.experimental
    begun = await tasks.call_tool_as_task("video_render", arguments, ttl=3600000)
    task = begun.task.taskId
    if SCENE == "cancelled":
        await tasks.cancel_task(task)
    async for status in tasks.poll_task(task):
        MET["statuses"].append(status.status)
        if status.status == "input_required":
            break
    result = await tasks.get_task_result(task, types.CallToolResult)
    MET["result"] = result.structuredContent
    MET["status"] = (await tasks.get_task(task)).status


async def main():
    arguments = {"source_asset_id": ASSET, "resolution": "720p"}
    if SCENE != "cancelled":
        arguments["watermark"] = {"mode": "text", "text": "DRAFT"}
    async with streamablehttp_client(URL) as (read, write, _):
        async with ClientSession(read, write, elicitation_callback=asked) as session:
            await session.initialize()
            await session.list_tools()
            play = plainly if SCENE.startswith("plain") else as_task
            await play(session, arguments)
    print(json.dumps(MET))


asyncio.run(main())
