import { createEvidence } from '../../knowledge/rag/rag.ts'
import type { RunContext } from '../../runs/runs/runs.ts'
import type { AgentKit } from './kit.ts'
import { createCaller } from './model/model-calls.ts'
import { runToolCalls } from './model/run-tool-calls.ts'
import { prepareMessages } from './prompt/context-window.ts'

/**
 * Makes one model call. If the user chose a tool, that call requests it, and a second call without tools phrases
 * its result.
 */
export async function singleTurn(run: RunContext, kit: AgentKit): Promise<void> {
  const messages = await prepareMessages(run, kit)
  const model = createCaller(run, kit, await createEvidence(run, kit, messages))
  const { tool_choice } = run.input
  const choice = tool_choice ? { name: tool_choice } : 'none'
  const asked = await model.call(run, { messages, tool_choice: choice })
  const calls = tool_choice ? asked.calls.slice(0, 1) : []
  if (calls.length > 0) {
    const content = asked.content.filter((part) => part.type !== 'tool-call' || part.id === calls[0]?.id)
    messages.push({ role: 'assistant', content })
    messages.push({ role: 'tool', content: await runToolCalls(run, kit, calls) })
    await model.call(run, { messages, tool_choice: 'none' })
  }
  await run.checkpoint('completed', 'completed')
}
