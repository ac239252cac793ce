import type { OwnToolKind } from '../kind.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { McpConnection, McpDefinition } from './definition.ts'
import { createHeldCalls } from './held-calls.ts'
import { runTool } from './run-tool.ts'

/** Seconds a call may take while it waits for nobody. */
const LIMIT_SECONDS = 300

/** Tools that an MCP server offers. */
export function createMcpKind(deps: OwnToolDeps): OwnToolKind<McpDefinition, McpConnection> {
  const held = createHeldCalls(deps)
  return {
    ...{ definition: McpDefinition, connection: McpConnection, durable: true },
    inputs: ({ input_schema }) => input_schema,
    outputs: () => null,
    writes: ({ claim }) => claim !== 'reads',
    // A server's hints are hints: a person decides.
    asks: () => true,
    claim: ({ claim }) => claim,
    limitSeconds: () => LIMIT_SECONDS,
    ui: ({ ui }) => (ui === null ? null : { kind: 'app', uri: ui }),
    account: ({ address, oauth }) => (oauth && address.kind === 'http' ? new URL(address.url).host : null),
    run: (stored, definition, _, userId) => runTool(deps, held, { stored, definition, userId }),
  }
}
