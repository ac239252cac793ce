import { AppError } from '#shared/platform/errors.ts'
import type { RunEventBody } from '#shared/runs/runs/events.ts'
import { createEvidence } from '../../knowledge/rag/rag.ts'
import { type HandedResult, writePart } from '../../models/models/handover.ts'
import type { ModelMessage } from '../../models/models/port.ts'
import type { ChildOutcome, OutwardRule, RunContext, RunInput } from '../../runs/runs/runs.ts'
import type { AgentKit } from './kit.ts'
import { createCaller } from './model/model-calls.ts'
import { askForData } from './model/structured.ts'
import { tell } from './plan-and-act.ts'
import { type Part, partsOutput, readParts } from './planning/parts.ts'
import { ANSWERING, continueConversation, DIVIDING } from './planning/plan-prompts.ts'
import { progressText } from './planning/progress-texts.ts'
import { createSlots } from './planning/slots.ts'
import { prepareMessages, tellKnown } from './prompt/context-window.ts'
import { fitResults } from './prompt/fit-messages.ts'

/** Concurrent assistants. */
const MAX_CONCURRENT_PARTS = 4
/** Limits of one part. */
const PART_LIMITS = { model_calls: 24, steps: 6 }

/**
 * Divides the task over assistants, runs independent parts concurrently and writes one answer from their results.
 * A failed part is reported to the model. The run fails only when all parts fail.
 */
export async function orchestrate(run: RunContext, kit: AgentKit): Promise<void> {
  const conversation = await prepareMessages(run, kit)
  const model = createCaller(run, kit, await createEvidence(run, kit, conversation))
  const { assistants = [], language, limits } = run.input
  const read = readParts(assistants, limits.steps)
  // A model that cannot divide has the task done as a whole.
  const undivided = read([questionOf(conversation)])
  const parts = await askForData(run, model, {
    messages: continueConversation(conversation, `${DIVIDING}\n${describeAssistants(run.input)}`),
    output: partsOutput(assistants),
    read,
    ...(typeof undivided !== 'string' && { otherwise: undivided }),
    notes: [{ event: 'agent_progress', progress: 0, step_name: progressText(language, 'dividing') }],
  })
  await run.checkpoint('step0', 'before_step')
  const outcomes = await runParts(run, kit, parts, questionOf(conversation))
  await run.checkpoint(`after_step${parts.length - 1}`, 'after_step')
  const failures = outcomes.filter(({ state }) => state === 'failed')
  if (failures.length === parts.length) throw new AppError('provider_failed', failures[0]?.text ?? '')
  const results = fitResults(
    run,
    parts.map((part, at) => resultOf(part, outcomes[at])),
  )
  await model.call(run, {
    messages: continueConversation(conversation, ANSWERING, { results, step: null }),
    tool_choice: 'none',
    notes: [{ event: 'agent_progress', progress: 100, step_name: progressText(language, 'answering') }],
  })
  await run.checkpoint('completed', 'completed')
}

function describeAssistants({ assistants = [] }: RunInput): string {
  return assistants.map(({ name, description }) => `- ${name}: ${description}`).join('\n')
}

function questionOf(conversation: ModelMessage[]): string {
  const asked = conversation.findLast(({ role }) => role === 'user')
  if (asked?.role !== 'user') return ''
  return asked.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** Starts each part when its dependencies are done and a slot is free. */
async function runParts(
  run: RunContext,
  kit: AgentKit,
  parts: Part[],
  question: string,
): Promise<ChildOutcome[]> {
  const slots = createSlots(MAX_CONCURRENT_PARTS)
  const outcomes: Promise<ChildOutcome>[] = []
  const waiting = new Set(parts)
  let done = 0
  const progressOf = (part: Part): RunEventBody => ({
    ...{
      event: 'agent_progress',
      progress: Math.round((100 * done) / parts.length),
      step_name: titleOf(part),
    },
    planned: [...waiting].map((later) => ({ number: later.number, description: titleOf(later) })),
  })
  const work = async (part: Part) => {
    const needed = await Promise.all(part.after.flatMap((number) => outcomes[number - 1] ?? []))
    const known = part.after.flatMap((number, at) => {
      const before = parts[number - 1]
      return before ? [resultOf(before, needed[at])] : []
    })
    return slots.use(async () => {
      waiting.delete(part)
      const { number } = part
      await tell(run, `step${number}:start`, [
        {
          ...{ event: 'agent_step_started', number, description: titleOf(part), single_step: false },
          timestamp: kit.clock.now().toISOString(),
        },
        progressOf(part),
      ])
      const outcome = await runPart(run, part, question, known)
      done += 1
      await tell(run, `step${number}:done`, [progressOf(part)])
      return outcome
    })
  }
  for (const part of parts) outcomes.push(work(part))
  return Promise.all(outcomes)
}

function runPart(
  run: RunContext,
  part: Part,
  question: string,
  known: HandedResult[],
): Promise<ChildOutcome> {
  const { number, task, assistant } = part
  const { id, name, description: _description, is_foreign: _foreign, ...own } = assistant
  const { outward } = run.input
  const handover = {
    results: fitResults({ input: { ...run.input, ...own } }, known),
    step: { number, task },
  }
  return run.child(`sub${number}`, {
    number,
    input: {
      ...own,
      assistant: { id, name },
      // Results of other parts count as third-party text.
      ...(outward && known.length > 0 && { outward: withParts(outward) }),
      task: writePart(question + tellKnown(run.input), handover),
      limits: { ...run.input.limits, ...PART_LIMITS },
    },
  })
}

const withParts = (rule: OutwardRule): OutwardRule => ({
  ...rule,
  read: [...rule.read, { kind: 'part', name: '' }],
})

const titleOf = ({ assistant, task }: Part) => `${assistant.name}: ${task}`

function resultOf({ number, task }: Part, outcome: ChildOutcome | undefined): HandedResult {
  const text = outcome?.state === 'completed' ? outcome.text : `Failed: ${outcome?.text ?? ''}`
  return { number, task, text: text || '(nothing)' }
}
