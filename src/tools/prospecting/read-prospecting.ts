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

/** What is known of a call, while it works and when it is over. */
export type Prospecting = {
  /** Null until they are known. */
  companies: Company[] | null
  /** The names of those that were chosen; null while nothing was sent. */
  selected: string[] | null
  prospects: Prospect[] | null
  /** What the person is asked for now; `executionId` is null where the question does not say whom to answer. */
  asks: { what: 'selection' | 'confirmation'; executionId: string | null } | null
  /** The list is being made. */
  isListing: boolean
  /** Nothing can be chosen any more. */
  isLocked: boolean
  isDone: boolean
}

/** Reads what a call has told, and its result once it has one. */
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
