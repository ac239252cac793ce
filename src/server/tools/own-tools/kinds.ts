import { createApiKind } from './http/api-kind.ts'
import type { OwnToolKind } from './kind.ts'
import { createMcpKind } from './mcp/mcp-kind.ts'
import type { OwnToolDeps } from './secrets-of.ts'
import type { SetKind } from './store.ts'

/** Every kind of own tools. A further one is a folder beside `http`, and a line here. */
export function createKinds(deps: OwnToolDeps): Record<SetKind, OwnToolKind> {
  return { api: createApiKind(deps) as OwnToolKind, mcp: createMcpKind(deps) as OwnToolKind }
}
