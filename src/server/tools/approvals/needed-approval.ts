import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'
import type { Question } from '../../runs/runs/runs.ts'
import { findNeeded } from './approval-store.ts'

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

/**
 * Returns who approves a person's calls of a tool, if one of their companies names somebody; null otherwise. The deputy may approve
 * immediately when the approver cannot, as when the call is the approver's own.
 */
export async function findNeededApproval(
  db: Kysely<Tables>,
  userId: string,
  toolId: string,
): Promise<NeededApproval | null> {
  const found = (await findTogether(db, userId)).get(toolId)
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
