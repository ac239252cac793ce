import { parseJson } from '#shared/runs/runs/join.ts'
import type { AskedTool } from '#shared/runs/runs/request.ts'
import type { ToolContract } from '#shared/tools/tools/tool.ts'

/** A call requested by a model or a person. */
export type ToolCall = {
  /** Unique within the run. */
  key: string
  /** The model's id of the call. */
  id: string
  execution_id: string
  tool_id: string
  /** Arguments as JSON text. */
  input: string
}

/**
 * The outcome of a call. An error is sent to the model, which may try something else. `changed`: the arguments a person
 * substituted for the model's.
 */
export type ToolOutcome = { ok: true; result: unknown; changed?: unknown } | { ok: false; error: string }

/** Returns the parsed arguments of a call, empty if there are none; undefined for invalid JSON. */
export function readArguments({ input }: Pick<ToolCall, 'input'>): unknown {
  return parseJson(input.trim() || '{}')
}

/** Describes a call for the person who is asked about it. */
export function describeCall(contract: ToolContract | null, call: ToolCall): AskedTool {
  const { execution_id: tool_execution_id, tool_id } = call
  return { tool_execution_id, tool_id, tool_name: contract?.name ?? tool_id, input: readArguments(call) }
}
