import { parseJson } from '#shared/runs/runs/join.ts'
import type { AskedTool } from '#shared/runs/runs/request.ts'
import type { ToolContract } from '#shared/tools/tools/tool.ts'

/** A call as a model, or a person, asked for it. */
export type ToolCall = {
  /** Unique within the run. */
  key: string
  /** What the model calls it. */
  id: string
  execution_id: string
  tool_id: string
  /** Arguments as JSON text. */
  input: string
}

/**
 * What came of a call; an error is told to the model, which may try something else. `changed`: the arguments a
 * person put in place of the model's.
 */
export type ToolOutcome = { ok: true; result: unknown; changed?: unknown } | { ok: false; error: string }

/** The arguments of a call, none when it names none; undefined for what is no JSON. */
export function readArguments({ input }: Pick<ToolCall, 'input'>): unknown {
  return parseJson(input.trim() || '{}')
}

/** A call as people are asked about it. */
export function describeCall(contract: ToolContract | null, call: ToolCall): AskedTool {
  const { execution_id: tool_execution_id, tool_id } = call
  return { tool_execution_id, tool_id, tool_name: contract?.name ?? tool_id, input: readArguments(call) }
}
