import type { RunContext } from '../runs/runs.ts'
import type { AgentKit } from './agents.ts'
import { callModel } from './call-model.ts'
import { prepareMessages } from './context-window.ts'
import { runToolCalls } from './run-tool-calls.ts'

/**
 * One model call. With a tool chosen by the person that call asks for the tool, and a second one, which has
 * no tools, puts its result into words.
 */
export async function singleTurn(run: RunContext, kit: AgentKit): Promise<void> {
  const messages = await prepareMessages(run, kit)
  const { tool_choice } = run.input
  if (!tool_choice) {
    await callModel(run, kit, { key: 'model:1', messages, tool_choice: 'none' })
    return
  }
  const asked = await callModel(run, kit, { key: 'model:1', messages, tool_choice: { name: tool_choice } })
  const calls = asked.calls.slice(0, 1)
  if (calls.length === 0) return
  const content = asked.content.filter((part) => part.type !== 'tool-call' || part.id === calls[0]?.id)
  messages.push({ role: 'assistant', content })
  messages.push({ role: 'tool', content: await runToolCalls(run, kit, calls) })
  await callModel(run, kit, { key: 'model:2', messages, tool_choice: 'none' })
}
