import type { ToolStatus } from '#shared/runs/runs/blocks.ts'
import type { PastExecution } from '#shared/tools/tools/tools.ts'
import type { Principal } from '../../platform/access/access.ts'
import type { Deps } from '../deps.ts'
import { findPastExecutions } from './store.ts'

type Wish = Parameters<typeof findPastExecutions>[2]

/** Returns a page of a person's executions of a tool, newest first. */
export async function listExecutions(
  { db }: Pick<Deps, 'db'>,
  principal: Principal,
  wish: Wish,
): Promise<{ items: PastExecution[]; has_more: boolean }> {
  const rows = await findPastExecutions(db, principal, wish)
  const items = rows.slice(0, wish.limit).map(({ title, created_at, finished_at, worked_ms, ...row }) => ({
    ...{ ...row, session_title: title, status: row.status as ToolStatus, waits: Boolean(row.waits) },
    ...{ input: shorten(row.input), created_at: created_at.toISOString() },
    finished_at: finished_at?.toISOString() ?? null,
    // Without any work there is no range to sum up.
    worked_ms: finished_at ? Math.round(worked_ms ?? 0) : null,
  }))
  return { items, has_more: rows.length > wish.limit }
}

/** Maximum characters of an input text in a list. */
const MAX_INPUT_CHARACTERS = 200

/** Shortens an input to one line, without nested values. */
function shorten(input: unknown): unknown {
  if (typeof input === 'string') return shortenText(input)
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null
  const plain = Object.entries(input).filter(([, value]) => typeof value !== 'object')
  return Object.fromEntries(plain.map(([name, value]) => [name, shortenText(value)]))
}

function shortenText(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, MAX_INPUT_CHARACTERS) : value
}
