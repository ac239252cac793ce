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

/** The results for one question. */
export type Searched = {
  query: Query
  web: WebAnswer | null
  documents: DocumentAnswer | null
  /** The limit that prevented the search, or null. */
  left: UsedUp | null
  /** Error of the searches when none succeeded, or null. */
  failure: string | null
}

type Task = {
  query: Query
  /** Number of its plan step. */
  number: number
  budget: Budget
  begun: string
  /** Whether it is within the search limit. */
  fits: boolean
  /** Whether the user approved the wording and its destination. */
  isShown: boolean
  note: RunEventBody
}

/** Runs the searches of one question concurrently as ordinary tool calls, unless the budget is exhausted. */
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

/** Returns the third-party text known when the questions were planned: before any search, without documents. */
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
