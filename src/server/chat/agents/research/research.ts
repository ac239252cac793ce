import { withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ModelMessage } from '../../../models/models/port.ts'
import type { RunContext } from '../../../runs/runs/runs.ts'
import type { AgentKit } from '../kit.ts'
import { createCaller, type ModelCaller } from '../model/model-calls.ts'
import { askForData } from '../model/structured.ts'
import { continueConversation } from '../planning/plan-prompts.ts'
import { createSlots } from '../planning/slots.ts'
import { prepareMessages } from '../prompt/context-window.ts'
import { askAgain } from './ask-again.ts'
import { askForPlan } from './ask-for-plan.ts'
import { type Budget, readBudget } from './budget.ts'
import { type Query, queriesOutput, readQueries } from './queries.ts'
import { PLANNING_QUERIES } from './research-prompts.ts'
import { researchText } from './research-texts.ts'
import { type Searched, searchOne } from './search-one.ts'
import { writeReport } from './write-report.ts'

/** Concurrent questions. */
const MAX_CONCURRENT_QUESTIONS = 3

/** Disables the run's own evidence numbering: findings carry the citation numbers here. */
const NO_EVIDENCE = { take: () => undefined, brief: async () => null, note: () => undefined }

/**
 * Plans questions, has the user approve them, searches the web and the documents within a budget, and writes a report with
 * citations. A return to the end of the searches repeats one of them.
 */
export async function research(run: RunContext, kit: AgentKit): Promise<void> {
  const conversation = (await prepareMessages(run, kit)).map(withoutMarkers)
  const model = createCaller(run, kit, NO_EVIDENCE)
  const budget = await readBudget(run, kit)
  const planned = await planQueries(run, model, conversation, budget)
  const queries = await askForPlan(run, kit, planned, budget)
  const begun = await run.step('begun', async () => kit.clock.now().toISOString())
  const searched = await searchAll({ run, kit, budget, begun }, queries)
  await searchAgain({ run, kit, budget }, searched)
  if (searched.every(({ failure }) => failure !== null))
    throw new AppError('unavailable', searched[0]?.failure ?? '')
  await writeReport(run, kit, { model, conversation, searched })
  await run.checkpoint('completed', 'completed')
}

function planQueries(run: RunContext, model: ModelCaller, conversation: ModelMessage[], budget: Budget) {
  const step_name = researchText(run.input.language).planning
  const read = readQueries(run.input, budget)
  // A model that cannot plan has the question itself searched for.
  const unplanned = read([askedOf(conversation)])
  return askForData(run, model, {
    messages: continueConversation(conversation, PLANNING_QUERIES),
    output: queriesOutput,
    read,
    ...(typeof unplanned !== 'string' && { otherwise: unplanned }),
    notes: [{ event: 'agent_progress', progress: 0, step_name }],
  })
}

function askedOf(conversation: ModelMessage[]): string {
  const asked = conversation.findLast(({ role }) => role === 'user')
  if (asked?.role !== 'user') return ''
  return asked.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

type Work = { run: RunContext; kit: AgentKit; budget: Budget; begun: string }

/** Searches every question as a plan step. Questions beyond the search budget are left out and named in the report. */
async function searchAll({ run, kit, budget, begun }: Work, queries: Query[]): Promise<Searched[]> {
  const slots = createSlots(MAX_CONCURRENT_QUESTIONS)
  let used = 0
  let done = 0
  const waiting = new Set(queries)
  return Promise.all(
    queries.map((query, at) => {
      used += query.searches.length
      const fits = used <= budget.searches
      return slots.use(async () => {
        waiting.delete(query)
        const planned = [...waiting].map((later) => ({
          number: queries.indexOf(later) + 1,
          description: later.question,
        }))
        const progress = Math.round((100 * done) / queries.length)
        const note = { event: 'agent_progress' as const, progress, step_name: query.question, planned }
        const found = await searchOne(run, kit, {
          query,
          number: at + 1,
          budget,
          begun,
          fits,
          isShown: !run.input.is_program && !run.input.has_archive,
          note,
        })
        done += 1
        return found
      })
    }),
  )
}

/** Searches one question, old or new, each time the user returns to the end of the searches. */
async function searchAgain({ run, kit, budget }: Omit<Work, 'begun'>, searched: Searched[]): Promise<void> {
  for (let number = searched.length + 1; ; number += 1) {
    const name = `after_step${number - 2}`
    await run.checkpoint(name, 'after_step')
    const isWanted = await run.step(`again:${number}`, async () => run.input.returned_to === name)
    if (!isWanted) return
    const again = await askAgain(run, kit, searched, number)
    if (!again) return
    const { at, query } = again
    const begun = await run.step(`begun:${number}`, async () => kit.clock.now().toISOString())
    const note = { event: 'agent_progress' as const, progress: 90, step_name: query.question }
    searched[at] = await searchOne(run, kit, {
      query,
      number,
      budget,
      begun,
      fits: true,
      isShown: !run.input.has_archive,
      note,
    })
  }
}

/** Removes citation markers of earlier turns, which are meaningless here. */
function withoutMarkers(message: ModelMessage): ModelMessage {
  if (message.role === 'system' || message.role === 'tool') return message
  const content = message.content.map((part) =>
    part.type === 'text' ? { ...part, text: withoutCitations(part.text) } : part,
  )
  return { ...message, content } as ModelMessage
}
