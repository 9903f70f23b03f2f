// An agent on the first line of the TypeScript SDK. It plays one scene and prints what it has met
// as one line of JSON.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [url, scene, asset] = process.argv.slice(2);
const met = { asked: 0, statuses: [] };
const client = new Client(
  { name: 'product-test', version: '1' },
  { capabilities: { elicitation: { form: {} } } },
);
client.setRequestHandler(ElicitRequestSchema, async () => {
  met.asked += 1;
  return { action: 'accept', content: { approved: scene !== 'rejected' } };
});
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
await client.listTools();

const render = {
  name: 'video_render',
  arguments: {
    source_asset_id: asset,
    resolution: '720p',
    ...(scene !== 'cancelled' && { watermark: { mode: 'text', text: 'DRAFT' } }),
  },
};
if (scene.startsWith('plain')) {
  const begun = await client.callTool(render);
  const render_id = begun.structuredContent.render_id;
  for (;;) {
    const wait = scene === 'plain-elicitation' ? { wait_ms: 20000 } : {};
    const status = await client.callTool({
      name: 'video_get_render_status',
      arguments: { render_id, ...wait },
    });
    met.result = status.structuredContent;
    if (met.result.terminal) break;
    if (met.result.pending_input && scene === 'plain') {
      const { tool, arguments: call } = met.result.pending_input;
      await client.callTool({ name: tool, arguments: call });
    }
    await new Promise((done) => setTimeout(done, 200));
  }
} else {
  const tasks = client.experimental.tasks;
  // By itself it gives a wait up after a minute.
  const patience = { task: { ttl: 3600000 }, timeout: 600000 };
  const stream = tasks.callToolStream(render, CallToolResultSchema, patience);
  let id;
  for await (const told of stream) {
    if (told.type === 'taskCreated') {
      id = told.task.taskId;
      if (scene === 'cancelled') await tasks.cancelTask(id);
    }
    if (told.type === 'taskStatus') met.statuses.push(told.task.status);
    if (told.type === 'result') met.result = told.result.structuredContent;
    if (told.type === 'error') met.error = told.error.message;
  }
  met.status = (await tasks.getTask(id)).status;
  met.result ??= (await tasks.getTaskResult(id, CallToolResultSchema)).structuredContent;
}
console.log(JSON.stringify(met));
await client.close();
process.exit(0);
