// An agent on the tasks extension's client, speaking the revision before it. It plays one scene
// and prints what it has met as one line of JSON.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  toolDeclarationFromMcpTool,
} from '@modelcontextprotocol/ext-tasks/client';

const [url, scene, asset] = process.argv.slice(2);
const met = { asked: 0, statuses: [] };
const answer = async () => {
  met.asked += 1;
  return { action: 'accept', content: { approved: scene !== 'rejected' } };
};
const client = new Client(
  { name: 'product-test', version: '1' },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'legacy' } },
);
client.setRequestHandler('elicitation/create', answer);
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const known = new Map(tools.map((tool) => [tool.name, toolDeclarationFromMcpTool(tool)]));

const call = {
  source_asset_id: asset,
  resolution: '720p',
  ...(scene !== 'cancelled' && { watermark: { mode: 'text', text: 'DRAFT' } }),
};
if (scene.startsWith('plain')) {
  const begun = await client.callTool({ name: 'video_render', arguments: call });
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
      const { tool, arguments: named } = met.result.pending_input;
      await client.callTool({ name: tool, arguments: named });
    }
    await new Promise((done) => setTimeout(done, 200));
  }
} else {
  const session = createTaskSessionFromClient(client, {
    endpointId: 'product-test',
    tools: { currentTool: (name) => known.get(name) },
    onInputRequest: answer,
  });
  const execution = await session.callTool('video_render', call, {
    task: { preference: 'prefer', retentionMs: 3600000 },
  });
  if (scene === 'cancelled') {
    const { taskId } = execution.handle;
    await client.callTool({ name: 'video_cancel_render', arguments: { render_id: taskId } });
  }
  const { outcome, lastTask } = await execution.settle({
    onEvent: (event) => event.task && met.statuses.push(event.task.status),
  });
  met.status = lastTask?.status;
  try {
    met.result = resultFromTaskOutcome(outcome)?.structuredContent;
  } catch (error) {
    met.error = String(error);
  }
  met.outcome = outcome;
  await session.close();
}
console.log(JSON.stringify(met));
await client.close();
process.exit(0);
