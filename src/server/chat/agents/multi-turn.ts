import { AppError } from '#shared/platform/errors.ts'
import { createEvidence } from '../../knowledge/rag/rag.ts'
import type { ModelCall, ModelMessage, ToolCallPart, ToolResultPart } from '../../models/models/port.ts'
import type { RunContext } from '../../runs/runs/runs.ts'
import { readArguments } from '../../tools/tools/tools.ts'
import type { AgentKit } from './kit.ts'
import { offeredTools } from './model/call-model.ts'
import { createCaller } from './model/model-calls.ts'
import { runToolCalls } from './model/run-tool-calls.ts'
import { prepareMessages } from './prompt/context-window.ts'
import { fitToolResults } from './prompt/fit-messages.ts'
import { askPersonTool, readQuestion, sayAnswer } from './question.ts'

const askPerson = askPersonTool(
  'Asks the person for what the work cannot go on without, as a form: files, yes or no, several values at once. What one sentence can ask, ask in your answer instead.',
)

/** Alternates between model and tool calls until the model answers or the call limit is reached. */
export async function multiTurn(run: RunContext, kit: AgentKit): Promise<void> {
  const messages: ModelMessage[] = await prepareMessages(run, kit)
  const { model_calls } = run.input.limits
  const model = createCaller(run, kit, await createEvidence(run, kit, messages))
  for (let turn = 1; turn <= model_calls; turn++) {
    const tool_choice = chooseTool(run, turn, turn === model_calls)
    const reply = await model.call(run, {
      ...{ messages: fitToolResults(run, messages), tool_choice },
      controls: tool_choice === 'none' ? [] : [askPerson],
    })
    if (reply.calls.length + reply.controls.length === 0) return run.checkpoint('completed', 'completed')
    if (turn === model_calls) break
    const results = await runToolCalls(run, kit, reply.calls)
    const answers = await askQuestions(run, turn, reply.controls)
    messages.push({ role: 'assistant', content: reply.content })
    messages.push({ role: 'tool', content: [...results, ...answers] })
  }
  throw new AppError(
    'not_available',
    `The model asked for tools ${model_calls} times without answering. Ask a narrower question.`,
  )
}

/** Shows one form at a time and reports invalid ones to the model like a tool error. */
async function askQuestions(
  run: RunContext,
  turn: number,
  controls: ToolCallPart[],
): Promise<ToolResultPart[]> {
  const results: ToolResultPart[] = []
  for (const [at, { id, name, input }] of controls.entries()) {
    const question = at === 0 ? readQuestion(readArguments({ input })) : null
    const wrong = at === 0 ? 'Error: prompt is missing.' : 'Error: ask one question at a time.'
    const output = question ? sayAnswer(await run.ask(`waiting_for_input_${turn}`, question)) : wrong
    results.push({ type: 'tool-result', id, name, output, is_error: !question })
  }
  return results
}

/** Applies the user's tool choice to the first call. The last call must be an answer. */
function chooseTool(run: RunContext, turn: number, isLast: boolean): ModelCall['tool_choice'] {
  const { tool_choice } = run.input
  if (offeredTools(run).length === 0 || isLast) return 'none'
  return turn === 1 && tool_choice ? { name: tool_choice } : 'auto'
}
