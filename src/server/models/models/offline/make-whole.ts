import { contentWords } from '#shared/platform/citations/check.ts'
import { findJson } from '../asking/find-json.ts'

/** A question with fewer words of its own goes on from the one before. */
const OWN_WORDS = 3

/** The last question of a conversation, with the one before it where it has few words of its own. */
export function makeWhole(conversation: string): string {
  const turns = findJson(conversation)
  if (!Array.isArray(turns)) return conversation
  const questions = turns.flatMap((turn) => (turn?.role === 'person' ? [String(turn.text)] : []))
  const [last = '', before] = questions.toReversed()
  return before && contentWords(last).length < OWN_WORDS ? `${last} (${before})` : last
}
