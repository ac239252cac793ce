import type * as z from 'zod'
import type { Sending } from '#shared/platform/outward.ts'
import type { ToolUi } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import type { ServerClaim } from '#shared/tools/tools/server-claim.ts'
import type { ToolContract, ToolRun } from '#shared/tools/tools/tool.ts'
import type { JsonSchema } from '../../models/models/port.ts'
import type { StoredTool } from './store.ts'

/** What a kind of own tools is: how what is stored becomes a tool that runs. `kinds.ts` has them. */
export type OwnToolKind<Definition = unknown, Connection = unknown> = {
  /** What a version of a tool holds beside its words. */
  definition: z.core.$ZodType<Definition>
  /** What the tools of a set have in common. */
  connection: z.core.$ZodType<Connection>
  /** What goes in, as a model is told; `checkSchema` has seen it. */
  inputs: (definition: Definition) => JsonSchema
  /** What comes out, where it says so. */
  outputs: (definition: Definition) => JsonSchema | null
  /** Whether it changes something outside: it is never called a second time without asking. */
  writes: (definition: Definition) => boolean
  /** Whether it asks before each call until a person decides otherwise. */
  asks: (definition: Definition) => boolean
  /** What its server claims about its effects; absent where no server describes it. */
  claim?: (definition: Definition) => ServerClaim
  limitSeconds: (definition: Definition, connection: Connection) => number
  /** Its tools work in steps and may ask. */
  durable?: true
  /** What a call sends. @throws AppError for input that no request can carry: the call fails in the same way */
  sends: (
    tool: StoredTool,
    definition: Definition,
    connection: Connection,
    input: Record<string, unknown>,
  ) => Sending
  /** Whether its words come from elsewhere than from who made it. */
  isForeign: (connection: Connection) => boolean
  /** The interface a tool brings along. */
  ui?: (definition: Definition) => ToolUi | null
  /** The host where each person signs in to use its tools; null where nobody has to. */
  account: (connection: Connection) => string | null
  /** The work of a tool for a person. Secrets are opened when it runs, and go to nobody else. */
  run: (
    tool: StoredTool,
    definition: Definition,
    connection: Connection,
    userId: string,
  ) => ToolRun<ToolContract>
}
