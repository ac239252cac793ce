import { DocumentAnswer } from '#shared/knowledge/rag/rag.ts'
import { WebAnswer } from '#shared/knowledge/web-search/web-search.ts'
import type { RunEventBody } from '#shared/runs/runs/events.ts'
import { executionId, type RunContext } from '../../../runs/runs/runs.ts'
import { executeTool, type ToolCall } from '../../../tools/tools/tools.ts'
import type { AgentKit } from '../kit.ts'
import { announceCalls } from '../model/announce-calls.ts'
import { tell } from '../plan-and-act.ts'
import { type Budget, findUsedUp, type UsedUp } from './budget.ts'
import type { Query, Search } from './queries.ts'

/** What was found for one question. */
export type Searched = {
  query: Query
  web: WebAnswer | null
  documents: DocumentAnswer | null
  /** Why it was not searched for; null when it was. */
  left: UsedUp | null
  /** What the searches said when none of them came to a result. */
  failure: string | null
}

type Task = {
  query: Query
  /** Its step in the message. */
  number: number
  budget: Budget
  begun: string
  /** Its searches are within their number. */
  fits: boolean
  /** The person approved the wording, and was told where it goes. */
  isShown: boolean
  note: RunEventBody
}

/** Makes the searches of one question side by side, each an ordinary call of its tool, unless the budget is used up by then. */
export async function searchOne(run: RunContext, kit: AgentKit, task: Task): Promise<Searched> {
  const { query, number, budget, begun, fits, isShown, note } = task
  const timestamp = () => kit.clock.now().toISOString()
  await tell(run, `step${number}:start`, [
    {
      ...{ event: 'agent_step_started', number, description: query.question, single_step: false },
      timestamp: timestamp(),
    },
    note,
  ])
  const found = await run.scope(`step${number}`, async (place): Promise<Searched> => {
    const left = await place.step('budget', async () =>
      fits ? findUsedUp(kit, run, budget, begun) : 'searches',
    )
    if (left !== null) return { query, web: null, documents: null, left, failure: null }
    const calls = query.searches.map((search) => callOf(run, search, query.question, number))
    await place.step('calls', async (leaf) => {
      announceCalls(run, leaf, calls)
      return { calls }
    })
    const gate = { read: readForPlan(run), isShown }
    const outcomes = await Promise.all(calls.map((call) => executeTool(kit, place, call, gate)))
    const resultOf = (search: Search) => {
      const outcome = outcomes[calls.findIndex(({ tool_id }) => tool_id === search)]
      return outcome?.ok ? outcome.result : null
    }
    const errors = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]))
    return {
      ...{ query, left: null },
      web: WebAnswer.safeParse(resultOf('web_search')).data ?? null,
      documents: DocumentAnswer.safeParse(resultOf('document_search')).data ?? null,
      failure: errors.length === outcomes.length ? (errors[0] ?? null) : null,
    }
  })
  await tell(run, `step${number}:done`, [
    {
      ...{ event: 'agent_step_completed', number, timestamp: timestamp() },
      ...((found.failure !== null || found.left !== null) && { failed: true }),
    },
  ])
  return found
}

/** Text of others that was told when the questions were planned: that was before any search, and without documents. */
function readForPlan({ input: { outward } }: RunContext) {
  return (outward?.read ?? []).filter(({ kind }) => kind !== 'document')
}

function callOf(run: RunContext, search: Search, query: string, number: number): ToolCall {
  const key = `search:${number}/${search}`
  const input = search === 'web_search' ? { query } : { query, read_all: false }
  return {
    ...{ key, id: key, execution_id: executionId(run.id, key), tool_id: search },
    input: JSON.stringify(input),
  }
}
