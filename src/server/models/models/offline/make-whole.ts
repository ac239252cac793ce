import { contentWords } from '#shared/platform/citations/check.ts'
import { findJson } from '../asking/find-json.ts'

/** A question with fewer content words depends on the previous one. */
const OWN_WORDS = 3

/** Returns the last question of a conversation, followed by the previous one when it has few content words. */
export function makeWhole(conversation: string): string {
  const turns = findJson(conversation)
  if (!Array.isArray(turns)) return conversation
  const questions = turns.flatMap((turn) => (turn?.role === 'person' ? [String(turn.text)] : []))
  const [last = '', before] = questions.toReversed()
  return before && contentWords(last).length < OWN_WORDS ? `${last} (${before})` : last
}
