import type { RunEventBody } from '#shared/runs/runs/events.ts'
import type { ModelMessage, ModelTool, ToolCallPart, ToolResultPart } from '../../../models/models/port.ts'
import type { Question, RunContext } from '../../../runs/runs/runs.ts'
import { readArguments } from '../../../tools/tools/tools.ts'
import type { AgentKit } from '../kit.ts'
import { offeredTools, textOf } from '../model/call-model.ts'
import type { ModelCaller } from '../model/model-calls.ts'
import { runToolCalls } from '../model/run-tool-calls.ts'
import { fitToolResults } from '../prompt/fit-messages.ts'
import { askPersonTool, readQuestion } from '../question.ts'
import { type PlannedStep, readPlan, stepsSchema } from './plan.ts'
import { progressText } from './progress-texts.ts'

/** The result of a step: its text, a question and changes to the plan. */
export type Acted = { text: string; question: Question | null; steps: PlannedStep[] | null }

/** Maximum model calls per step. */
const STEP_CALLS = 10

/** Control tools of a step. */
const controls: ModelTool[] = [
  askPersonTool(
    'Asks the person something the work cannot go on without. The step ends here; the answer comes with the next one.',
  ),
  {
    name: 'change_plan',
    description: 'Replaces the steps that are still to come, when what was found calls for other ones.',
    input_schema: { type: 'object', properties: { steps: stepsSchema }, required: ['steps'] },
  },
]

type Stage = { number: number; messages: ModelMessage[]; canSteer: boolean }

/** Executes one step: alternates between model and tools until the model writes its result. */
export async function act(
  place: RunContext,
  kit: AgentKit,
  model: ModelCaller,
  { number, messages: begun, canSteer }: Stage,
): Promise<Acted> {
  const messages = [...begun]
  const used: string[] = []
  const acted: Acted = { text: '', question: null, steps: null }
  for (let turn = 1; ; turn++) {
    // One call is reserved for the answer.
    const isLast = turn === STEP_CALLS || model.left <= 2
    const offered = canSteer && !isLast ? controls : []
    const canCall = !isLast && (offered.length > 0 || offeredTools(place).length > 0)
    const reply = await model.call(place, {
      messages: fitToolResults(place, messages),
      tool_choice: canCall ? 'auto' : 'none',
      controls: offered,
      notes: turn === 1 ? [] : [progressOf(place, number, used)],
    })
    acted.text = textOf(reply) || acted.text
    const hasCalls = reply.calls.length + reply.controls.length > 0
    if (!hasCalls || isLast) return acted
    const results = await runToolCalls(place, kit, reply.calls)
    for (const { tool_id } of reply.calls) used.push(nameOf(place, tool_id))
    const steered = reply.controls.map((control) => steer(acted, control))
    messages.push(
      { role: 'assistant', content: reply.content },
      { role: 'tool', content: [...results, ...steered] },
    )
    if (acted.question) return acted
  }
}

function progressOf({ input }: RunContext, number: number, used: string[]): RunEventBody {
  const counts = new Map<string, number>()
  for (const name of used) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = [...counts].map(([name, count]) => (count > 1 ? `${name} × ${count}` : name))
  const message = progressText(input.language, 'used') + names.join(', ')
  return { event: 'agent_step_progress', number, progress: null, message: names.length > 0 ? message : null }
}

function nameOf({ input }: RunContext, id: string): string {
  return input.tools.find((tool) => tool.id === id)?.name ?? id
}

/** Applies one control call and reports errors to the model like a tool. */
function steer(acted: Acted, { id, name, input }: ToolCallPart): ToolResultPart {
  const result = { type: 'tool-result' as const, id, name }
  const given = readArguments({ input })
  if (name === 'ask_person') {
    acted.question ??= readQuestion(given)
    if (acted.question) return { ...result, output: 'The person is asked.', is_error: false }
    return { ...result, output: 'Error: prompt is missing.', is_error: true }
  }
  const steps = readPlan(given)
  if (typeof steps === 'string') return { ...result, output: `Error: ${steps}`, is_error: true }
  acted.steps = steps
  return { ...result, output: 'The plan was changed. Finish this step.', is_error: false }
}
