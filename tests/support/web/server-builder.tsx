import userEvent from '@testing-library/user-event'
import type { ServerHealth } from '#shared/tools/own-tools/mcp-health.ts'
import type { McpServer, ServerTool } from '#shared/tools/own-tools/mcp-servers.ts'
import { aServer, aUser, renderApp } from './render-app.tsx'

/** Returns a tool of an MCP server, with defaults. */
export const aServerTool = (patch: Partial<ServerTool> = {}): ServerTool => ({
  ...{ id: 't1_find', key: 'find_supplier', name: 'Find', description: 'Finds one.', reads: true },
  ...{ claim: 'reads', version: 1 },
  ...{ is_there: true, is_on: true, news: null, policy: null, runs: 'ask', ...patch },
})
/** Returns a server of the signed-in person. */
export const erp = (patch: Partial<McpServer> = {}): McpServer => ({
  ...{
    id: 's1',
    name: 'ERP',
    kind: 'http',
    own: true,
    shared_by: null,
    error: null,
    listed_at: '2026-11-01T10:00:00Z',
    is_known: true,
  },
  ...{ address: { kind: 'http', url: 'https://mcp.orsane.eu/erp' }, secrets: [], companies: [] },
  ...{ oauth: false, client_id: null, limit_seconds: 300, prompts: [], resources: [], left: 0 },
  server: { name: 'erp', version: '2', protocol: '2025-11-25', offers: ['tools'], instructions: '' },
  ...{ tools: [aServerTool()], ...patch },
})
/** Returns its form in a list. */
export const summaryOf = ({
  id,
  name,
  kind,
  own,
  error,
  listed_at,
  is_known,
  tools,
  shared_by,
}: McpServer) => ({
  ...{ id, name, kind, own, error, listed_at, is_known, tools: tools.length, shared_by },
})

/** Returns a server's health; missing values are unknown. */
export const aHealth = (patch: Partial<ServerHealth> = {}): ServerHealth => ({
  ...{ answered_at: null, answering_since: null, failed_at: null, failure: null },
  ...{ median_ms: null, answered: null, half_hours: [], messages: [], ...patch },
})

type Answers = NonNullable<Parameters<typeof aServer>[0]>
/** Opens a page with this server and the given answers. */
export async function openServers(path: string, server: McpServer, answers: Answers = {}, me = aUser()) {
  const page = await renderApp(path, {
    token: 't',
    answers: aServer(
      {
        'GET /mcp-servers': () => [summaryOf(server)],
        'GET /mcp-connecting': () => ({ http: true, stdio: false }),
        [`GET /mcp-servers/${server.id}`]: () => server,
        [`GET /mcp-servers/${server.id}/health`]: () => aHealth({ answered_at: '2026-11-01T10:00:00Z' }),
        ...answers,
      },
      me,
    ),
  })
  const sentTo = (method: string, path: string) =>
    page.sent.find((one) => one.method === method && one.path === path)?.body
  return { ...page, sentTo, user: userEvent.setup() }
}
