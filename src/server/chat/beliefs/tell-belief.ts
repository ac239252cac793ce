import type { Kysely } from 'kysely'
import { type Belief, type beliefParts, keepsBeliefs } from '#shared/chat/beliefs/beliefs.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { findBelief, loadPreferences } from './store.ts'

const titles: Record<(typeof beliefParts)[number], string> = {
  goals: 'Goals',
  facts: 'Facts',
  open_questions: 'Open questions',
}

/** Formats the belief at a message for a model. Returns null when there is none or the user disabled it. */
export async function tellBelief(
  db: Kysely<Tables>,
  userId: string,
  messageId: string,
): Promise<string | null> {
  if (!keepsBeliefs(await loadPreferences(db, userId))) return null
  const belief = await findBelief(db, messageId)
  return (belief && writeBelief(belief.content)) || null
}

function writeBelief({ goals, facts, open_questions }: Belief): string {
  const parts = Object.entries({ goals, facts, open_questions }) as [keyof Belief, Belief['facts']][]
  return parts
    .filter(([, entries]) => entries.length > 0)
    .map(([part, entries]) => [`${titles[part]}:`, ...entries.map(({ text }) => `- ${text}`)].join('\n'))
    .join('\n')
}
