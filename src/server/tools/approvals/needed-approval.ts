import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Question } from '../../runs/runs/runs.ts'
import { findNeeded } from './approval-store.ts'
import { isSameTarget } from './call-target.ts'

/** The part of a question that names its approver. `isPossible` is false when no one can approve the call. */
export type NeededApproval =
  | { isPossible: true; question: Required<Pick<Question, 'approver' | 'seconds' | 'default'>> }
  | { isPossible: false }

const LATE = { approved: false }

const underWay = new Map<string, ReturnType<typeof findNeeded>>()

/** Concurrent calls of a person share one query, so that they continue in their order. */
function findTogether(db: Kysely<Tables>, userId: string): ReturnType<typeof findNeeded> {
  const found = underWay.get(userId) ?? findNeeded(db, userId).finally(() => underWay.delete(userId))
  underWay.set(userId, found)
  return found
}

/** A tool with the place where its calls go, which copies of it share. A built-in tool has none. */
type CalledTool = { id: string | null; target: string | null }

/** Returns the rule for the tool itself, otherwise the first for a tool whose calls go to the same place. */
async function findRule(db: Kysely<Tables>, userId: string, { id, target }: CalledTool) {
  const rules = await findTogether(db, userId)
  const named = rules.find((rule) => rule.tool_id === id)
  if (named || target === null) return named ?? null
  return rules.find((rule) => rule.target !== null && isSameTarget(rule.target, target)) ?? null
}

/** Refuses a call outside of a run, because no approver can be asked there. @throws AppError `forbidden` if a company names its approver */
export async function assertUnnamed(db: Kysely<Tables>, userId: string, tool: CalledTool): Promise<void> {
  if (await findRule(db, userId, tool))
    throw new AppError(
      'forbidden',
      'A company names who approves this call. Use the tool in a chat, which asks them.',
    )
}

/**
 * Returns who approves a person's calls of a tool or a copy of it, if one of their companies names somebody; null otherwise. The deputy may
 * approve immediately when the approver cannot, as when the call is the approver's own.
 */
export async function findNeededApproval(
  db: Kysely<Tables>,
  userId: string,
  tool: CalledTool,
): Promise<NeededApproval | null> {
  const found = await findRule(db, userId, tool)
  if (!found) return null
  const { approver_acts, deputy_acts, deadline_minutes, deputy_minutes } = found
  if (!approver_acts && !deputy_acts) return { isPossible: false }
  const { company_id, approver: by, deputy } = found
  return {
    isPossible: true,
    question: {
      approver: {
        ...{ company_id, by, deputy },
        deputy_seconds: !deputy ? null : approver_acts ? (deputy_minutes ?? 0) * 60 : 0,
      },
      seconds: deadline_minutes * 60,
      default: { input: LATE, input_type: 'json' },
    },
  }
}
