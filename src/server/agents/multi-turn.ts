import { AppError } from '#shared/errors.ts'
import type { ModelCall, ModelMessage } from '../models/port.ts'
import type { RunContext } from '../runs/runs.ts'
import type { AgentKit } from './agents.ts'
import { offeredTools } from './call-model.ts'
import { prepareMessages } from './context-window.ts'
import { fitToolResults } from './fit-messages.ts'
import { createCaller } from './model-calls.ts'
import { runToolCalls } from './run-tool-calls.ts'

/** Calls the model and the tools it asks for until it answers, or until the run has used its model calls. */
export async function multiTurn(run: RunContext, kit: AgentKit): Promise<void> {
  const messages: ModelMessage[] = await prepareMessages(run, kit)
  const { model_calls } = run.input.limits
  const model = createCaller(run, kit)
  for (let turn = 1; turn <= model_calls; turn++) {
    const tool_choice = chooseTool(run, turn, turn === model_calls)
    const reply = await model.call(run, { messages: fitToolResults(run, messages), tool_choice })
    if (reply.calls.length === 0) return run.checkpoint('completed', 'completed')
    if (turn === model_calls) break
    messages.push({ role: 'assistant', content: reply.content })
    messages.push({ role: 'tool', content: await runToolCalls(run, kit, reply.calls) })
  }
  throw new AppError(
    'not_available',
    `The model asked for tools ${model_calls} times without answering. Ask a narrower question.`,
  )
}

/** A person's choice holds for the first call; in the last one the model has to answer. */
function chooseTool(run: RunContext, turn: number, isLast: boolean): ModelCall['tool_choice'] {
  const { tool_choice } = run.input
  if (offeredTools(run).length === 0 || isLast) return 'none'
  return turn === 1 && tool_choice ? { name: tool_choice } : 'auto'
}
