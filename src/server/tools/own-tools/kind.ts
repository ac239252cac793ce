import type * as z from 'zod'
import type { Sending } from '#shared/platform/outward.ts'
import type { ToolUi } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import type { ServerClaim } from '#shared/tools/tools/server-claim.ts'
import type { ToolContract, ToolRun } from '#shared/tools/tools/tool.ts'
import type { JsonSchema } from '../../models/models/port.ts'
import type { StoredTool } from './store.ts'

/** Turns stored definitions of one kind into tools that run. `kinds.ts` lists the kinds. */
export type OwnToolKind<Definition = unknown, Connection = unknown> = {
  /** The stored definition of a version, in addition to its texts. */
  definition: z.core.$ZodType<Definition>
  /** The settings shared by the tools of a set. */
  connection: z.core.$ZodType<Connection>
  /** Returns the input schema for models, checked by `checkSchema`. */
  inputs: (definition: Definition) => JsonSchema
  /** Returns the output schema, if it is declared. */
  outputs: (definition: Definition) => JsonSchema | null
  /** Returns whether it changes external data. Such a tool is never repeated without asking. */
  writes: (definition: Definition) => boolean
  /** Returns whether it asks before each call by default. */
  asks: (definition: Definition) => boolean
  /** Returns the effects its server claims; absent if no server describes it. */
  claim?: (definition: Definition) => ServerClaim
  limitSeconds: (definition: Definition, connection: Connection) => number
  /** Its tools work in steps and may ask questions. */
  durable?: true
  /** Returns the data a call sends. @throws AppError for input that cannot be sent; the call fails the same way */
  sends: (
    tool: StoredTool,
    definition: Definition,
    connection: Connection,
    input: Record<string, unknown>,
  ) => Sending
  /** Returns where its calls go, whatever their inputs: copies of a tool have the same target. */
  target: (tool: StoredTool, definition: Definition, connection: Connection) => string
  /** Returns whether someone other than its owner wrote its texts. */
  isForeign: (connection: Connection) => boolean
  /** Returns the interface that comes with a tool. */
  ui?: (definition: Definition) => ToolUi | null
  /** Returns the host where each person signs in to use its tools; null if no sign-in is needed. */
  account: (connection: Connection) => string | null
  /** Executes a tool for a person. Secrets are decrypted only here and passed to no one else. */
  run: (
    tool: StoredTool,
    definition: Definition,
    connection: Connection,
    userId: string,
  ) => ToolRun<ToolContract>
}
