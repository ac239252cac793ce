import * as z from 'zod'
import type { ToolContract } from '#shared/tools/tools/tool.ts'
import type { LoadedTool } from '../tools/tools.ts'
import type { OwnToolKind } from './kind.ts'
import { compileSchema } from './schemas.ts'
import type { StoredTool } from './store.ts'

/** Converts a stored tool to the common form, for a person who uses it. */
export function makeTool(kind: OwnToolKind, stored: StoredTool, personId: string): LoadedTool {
  const { id, name, description, icon, version, user_id: userId, set_id: setId, companies } = stored
  const definition = z.core.parse(kind.definition, stored.definition)
  const connection = z.core.parse(kind.connection, stored.connection)
  const schema = kind.inputs(definition)
  const outputs = kind.outputs(definition)
  const writes = kind.writes(definition)
  const ui = stored.ui ?? kind.ui?.(definition)
  const contract: ToolContract = {
    ...{ id, name, description, ...(icon === null ? {} : { icon }) },
    input: compileSchema(schema, name),
    output: outputs ? compileSchema(outputs, name) : z.unknown(),
    repeatable: !writes,
    policy: stored.policy ?? (kind.asks(definition) ? 'ask' : 'auto'),
    limitSeconds: kind.limitSeconds(definition, connection),
    ...(kind.durable && { durable: true }),
    ...(ui && { ui }),
    sends: (input) => kind.sends(stored, definition, connection, input as Record<string, unknown>),
  }
  const run = kind.run(stored, definition, connection, personId)
  const account = kind.account(connection)
  const claim = kind.claim?.(definition)
  return {
    ...{ contract, schema, hasCard: false },
    made: {
      isForeign: userId !== personId || kind.isForeign(connection),
      ...{ kind: stored.kind, version, setId, userId, companies, account, run, isOn: stored.is_on },
      target: kind.target(stored, definition, connection),
      sharedBy: stored.shared_by ?? null,
      said: claim ? { claim, news: stored.news } : null,
    },
  }
}
