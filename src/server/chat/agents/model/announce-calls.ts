import type { Leaf, RunContext } from '../../../runs/runs/runs.ts'
import { insertCalls, keepInput, readArguments, type ToolCall } from '../../../tools/tools/tools.ts'

/** Announces tool calls, so that their cards appear in call order before any of them runs. */
export function announceCalls(run: RunContext, leaf: Leaf, calls: ToolCall[]): void {
  if (calls.length === 0) return
  const { tools } = run.input
  for (const call of calls) {
    const { execution_id, tool_id } = call
    const tool = tools.find(({ id }) => id === tool_id)
    const tool_name = tool?.name ?? tool_id
    // A call that needs approval shows its reason.
    const data = {
      status: 'pending',
      ...(tool?.policy === 'ask' && keepInput(execution_id, readArguments(call))),
    }
    leaf.afterwards({
      event: 'tool_update',
      tool_execution_id: execution_id,
      tool_id,
      tool_name,
      type: tool_id,
      data,
    })
  }
  leaf.together((trx) => insertCalls(trx, run, calls))
}
