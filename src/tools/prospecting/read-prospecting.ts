import * as z from 'zod/mini'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'
import { Company, Prospect, ProspectList } from '#shared/tools/prospecting/prospecting.ts'

const Told = z.object({
  companies: z.optional(z.array(Company)),
  prospects: z.optional(z.array(Prospect)),
  selected: z.optional(z.array(z.string())),
  all_analyzed_companies: z.optional(z.array(Company)),
  execution_id: z.optional(z.string()),
})

/** The known facts about a call, during and after it. */
export type Prospecting = {
  /** Null until they are known. */
  companies: Company[] | null
  /** Names of the selected companies; null until they are sent. */
  selected: string[] | null
  prospects: Prospect[] | null
  /** The current question to the person; `executionId` is null if the question does not name it. */
  asks: { what: 'selection' | 'confirmation'; executionId: string | null } | null
  /** Whether the list is being made. */
  isListing: boolean
  /** Whether the selection is final. */
  isLocked: boolean
  isDone: boolean
}

/** Derives the state of a call from its events and its result. */
export function readProspecting(events: readonly ToolEvent[], result: unknown): Prospecting {
  const known: Prospecting = {
    ...{ companies: null, selected: null, prospects: null, asks: null },
    ...{ isListing: false, isLocked: false, isDone: false },
  }
  for (const event of events) hear(known, event)
  const list = ProspectList.safeParse(result).data
  if (!list) return known
  const { prospects, all_analyzed_companies: companies } = list
  return { ...known, companies, prospects, asks: null, isListing: false, isLocked: true, isDone: true }
}

function hear(known: Prospecting, { type, phase, status, data }: ToolEvent): void {
  const told = Told.safeParse(data ?? {}).data
  if (!told) return
  if (type === 'tool_input_required') {
    const what = known.isLocked ? 'confirmation' : 'selection'
    known.asks = { what, executionId: told.execution_id ?? null }
    known.isListing = false
  } else if (phase !== undefined) known.asks = null
  if (phase === 'company_analysis' && told.companies) known.companies = told.companies
  if (phase === 'preview') {
    known.isLocked = true
    known.isListing = status !== 'completed'
    known.selected = told.selected ?? known.selected
    known.prospects = told.prospects ?? known.prospects
  }
  if (phase === 'final_result') {
    known.prospects = told.prospects ?? known.prospects
    known.companies = told.all_analyzed_companies ?? known.companies
    known.isLocked = true
  }
}
