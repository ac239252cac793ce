import { hostOf } from '#shared/platform/outward.ts'
import type { ServerAddress } from '#shared/tools/own-tools/mcp-servers.ts'
import { targetOfServer } from '../../approvals/approvals.ts'
import type { OwnToolKind } from '../kind.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { McpConnection, McpDefinition } from './definition.ts'
import { createHeldCalls } from './held-calls.ts'
import { runTool } from './run-tool.ts'

/** A local program counts as external, because it may send its input anywhere. */
const hostOfServer = (address: ServerAddress) =>
  address.kind === 'http' ? hostOf(address.url) : `stdio:${address.command}`

/** Names a server by its address without query, or by its command. */
function serverOf(address: ServerAddress): string {
  if (address.kind !== 'http') return JSON.stringify([address.command, address.args])
  const { host, pathname } = new URL(address.url)
  return `${host}${pathname.replace(/\/$/, '')}`
}

/** Tools offered by an MCP server. */
export function createMcpKind(deps: OwnToolDeps): OwnToolKind<McpDefinition, McpConnection> {
  const held = createHeldCalls(deps)
  return {
    ...{ definition: McpDefinition, connection: McpConnection, durable: true },
    inputs: ({ input_schema }) => input_schema,
    outputs: () => null,
    writes: ({ claim }) => claim !== 'reads',
    // A server's hints are untrusted, so a person decides.
    asks: () => true,
    claim: ({ claim }) => claim,
    limitSeconds: (_, { limit_seconds }) => limit_seconds,
    ui: ({ ui }) => (ui === null ? null : { kind: 'app', uri: ui }),
    sends: ({ key }, _, { address }, input) => ({
      ...{ hosts: [hostOfServer(address)], method: 'tools/call', headers: {} },
      address: address.kind === 'http' ? address.url : null,
      body: JSON.stringify({ name: key, arguments: input }, null, 2),
    }),
    target: ({ key }, _, { address }) => targetOfServer(serverOf(address), key),
    isForeign: () => true,
    account: ({ address, oauth }) => (oauth && address.kind === 'http' ? new URL(address.url).host : null),
    run: (stored, definition, _, userId) => runTool(deps, held, { stored, definition, userId }),
  }
}
