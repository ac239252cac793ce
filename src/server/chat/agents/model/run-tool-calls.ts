import type { ToolResultPart } from '../../../models/models/port.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'
import { readBefore } from '../../../tools/outward/outward.ts'
import { loadResultPictures } from '../../../tools/pictures/pictures.ts'
import { executeTool, type ToolCall, type ToolOutcome } from '../../../tools/tools/tools.ts'
import type { AgentKit } from '../kit.ts'

/** Maximum tool output as a share of the model's window. Longer output is cut and marked. */
const OUTPUT_SHARE = 0.25
const CHARACTERS_PER_TOKEN = 3

/** Runs the tool calls of one model answer concurrently. Results are in call order. */
export async function runToolCalls(
  run: RunContext,
  kit: AgentKit,
  calls: ToolCall[],
): Promise<ToolResultPart[]> {
  // The model had not read the results of these calls when it made them.
  const gate = { read: readBefore(run, calls, await kit.tools.pure()) }
  const limit = Math.floor(run.input.context_tokens * OUTPUT_SHARE * CHARACTERS_PER_TOKEN)
  return Promise.all(
    calls.map(async (call) => {
      const outcome = await executeTool(kit, run, call, gate)
      const output = cut(describe(outcome), limit)
      const pictures = outcome.ok ? await loadResultPictures(kit, run, outcome.result) : []
      return {
        ...{ type: 'tool-result' as const, id: call.id, name: call.tool_id, output, is_error: !outcome.ok },
        ...(pictures.length > 0 && { pictures }),
      }
    }),
  )
}

function describe(outcome: ToolOutcome): string {
  if (!outcome.ok) return `Error: ${outcome.error}`
  const result = typeof outcome.result === 'string' ? outcome.result : JSON.stringify(outcome.result)
  if (outcome.changed === undefined) return result
  return `The person changed the arguments of this call to ${JSON.stringify(outcome.changed)}. Its result:\n${result}`
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, limit)}\n[The output was cut here: ${text.length - limit} more characters.]`
}
