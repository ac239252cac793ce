import type { RunEventBody } from '#shared/runs/runs/events.ts'
import { createEvidence } from '../../knowledge/rag/rag.ts'
import type { HandedResult } from '../../models/models/handover.ts'
import type { ModelMessage } from '../../models/models/port.ts'
import type { Question, RunContext } from '../../runs/runs/runs.ts'
import type { AgentKit } from './kit.ts'
import { createCaller, type ModelCaller } from './model/model-calls.ts'
import { askForData } from './model/structured.ts'
import { type Acted, act } from './planning/act.ts'
import { type PlannedStep, planOutput, readPlan } from './planning/plan.ts'
import { ANSWERING, continueConversation, PLANNING, STEPPING } from './planning/plan-prompts.ts'
import { progressText } from './planning/progress-texts.ts'
import { prepareMessages } from './prompt/context-window.ts'
import { fitResults } from './prompt/fit-messages.ts'
import { sayAnswer } from './question.ts'

/**
 * Plans, executes the plan step by step with tools, asks questions where needed, adjusts the plan to the findings, and
 * answers from the results. A one-step task is answered by that step.
 */
export async function planAndAct(run: RunContext, kit: AgentKit): Promise<void> {
  const conversation = await prepareMessages(run, kit)
  const model = createCaller(run, kit, await createEvidence(run, kit, conversation))
  const plan = await askForData(run, model, {
    messages: continueConversation(conversation, PLANNING),
    output: planOutput,
    read: readPlan,
    otherwise: [{ task: progressText(run.input.language, 'answering'), question: null }],
    notes: [
      { event: 'agent_progress', progress: 0, step_name: progressText(run.input.language, 'planning') },
    ],
  })
  const isSingle = plan.length === 1 && !plan[0]?.question
  const work: Work = { run, kit, model, conversation, isSingle, number: 0, left: plan, results: [] }
  while (work.left.length > 0 && work.number < run.input.limits.steps && model.left > 1) await doNext(work)
  const isAnswered = work.isSingle && work.number === 1
  if (!isAnswered) await answer(work)
  await run.checkpoint('completed', 'completed')
}

type Work = {
  run: RunContext
  kit: AgentKit
  model: ModelCaller
  conversation: ModelMessage[]
  /** True when the plan has one step, which is the whole answer unless it asks for more. */
  isSingle: boolean
  /** Number of the newest step. Numbering continues when the plan changes. */
  number: number
  left: PlannedStep[]
  results: HandedResult[]
}

/** Executes the next step. Checkpoint names count from 0; labels show one more. */
async function doNext(work: Work): Promise<void> {
  const { run } = work
  const [step, ...later] = work.left
  if (!step) return
  work.number += 1
  const { number } = work
  await run.checkpoint(`step${number - 1}`, 'before_step')
  await tell(run, `step${number}:start`, [
    {
      ...{ event: 'agent_step_started', number, description: step.task, single_step: work.isSingle },
      timestamp: timeOf(work),
    },
    progressOf(work, step, later),
  ])
  const acted = await run.scope(`step${number}`, (place) => actOn(place, work, step))
  await tell(run, `step${number}:done`, [{ event: 'agent_step_completed', number, timestamp: timeOf(work) }])
  work.results.push({ number, task: step.task, text: acted.text || '(nothing)' })
  work.left = acted.steps ?? later
  await askPerson(work, step, acted)
  await run.checkpoint(`after_step${number - 1}`, 'after_step')
}

function actOn(
  place: RunContext,
  { kit, model, conversation, ...work }: Work,
  step: PlannedStep,
): Promise<Acted> {
  const { number, isSingle } = work
  const canSteer = true
  if (isSingle) return act(place, kit, model, { number, messages: conversation, canSteer })
  const results = fitResults(place, work.results)
  const messages = continueConversation(conversation, STEPPING, {
    results,
    step: { number, task: step.task },
  })
  return act(place, kit, model, { number, messages, canSteer })
}

/**
 * Asks the question of a step. The answer resumes that work as the next step. When the question is skipped, the step
 * stays as it is and the plan continues.
 */
async function askPerson(work: Work, step: PlannedStep, acted: Acted): Promise<void> {
  const question: Question | null = acted.question ?? step.question
  if (!question) {
    if (work.left.length > 0) work.isSingle = false
    return
  }
  work.isSingle = false
  const { run, number } = work
  const given = await run.ask(`waiting_for_input_after_step${number - 1}`, question)
  work.results.push({ number, task: question.prompt, text: sayAnswer(given) })
  const isSkipped = given.input_type === 'skipped'
  if (acted.question && !isSkipped) work.left = [{ task: step.task, question: null }, ...work.left]
}

/** Answers from the results and names what the limits of the run prevented. */
async function answer({ run, model, conversation, left, results, number }: Work): Promise<void> {
  const progress = Math.round((100 * number) / (number + left.length))
  const step_name = progressText(run.input.language, 'answering')
  const undone = left.map(({ task }) => task).join('; ')
  const note =
    undone && `These steps were not done, because the run has reached its limit: ${undone}. Say so.`
  const handover = { results: fitResults(run, results), step: null }
  await model.call(run, {
    messages: continueConversation(conversation, ANSWERING, handover, note),
    tool_choice: 'none',
    notes: [{ event: 'agent_progress', progress, step_name }],
  })
}

const timeOf = ({ kit }: Work) => kit.clock.now().toISOString()

function progressOf({ number }: Work, step: PlannedStep, later: PlannedStep[]): RunEventBody {
  const progress = Math.round((100 * (number - 1)) / (number + later.length))
  const planned = later.map(({ task }, at) => ({ number: number + 1 + at, description: task }))
  return { event: 'agent_progress', progress, step_name: step.task, planned }
}

/** Sends events as a separate record, so that a replay does not repeat them. */
export function tell(run: RunContext, key: string, events: RunEventBody[]): Promise<null> {
  return run.step(key, async (leaf) => {
    for (const event of events) leaf.afterwards(event)
    return null
  })
}
