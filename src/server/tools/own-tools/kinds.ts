import { createApiKind } from './http/api-kind.ts'
import type { OwnToolKind } from './kind.ts'
import { createMcpKind } from './mcp/mcp-kind.ts'
import type { OwnToolDeps } from './secrets-of.ts'
import type { SetKind } from './store.ts'

/** Lists every kind of own tools. A new one is a folder next to `http` and a line here. */
export function createKinds(deps: OwnToolDeps): Record<SetKind, OwnToolKind> {
  return { api: createApiKind(deps) as OwnToolKind, mcp: createMcpKind(deps) as OwnToolKind }
}
