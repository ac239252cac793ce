import { isPoliteness, isUnanswered, say } from '../phrases.ts'
import { extractSummary, splitSentences } from '../texts/summary.ts'
import { type Wish, wishes } from './follow-up-words.ts'
import type { Answer, Question } from './skill.ts'

const MAX_LENGTH = 80

/** Returns another form of the last answer, or a sentence that explains why that is impossible. */
export function answerFollowUps({ text, language, before }: Question): Answer | null {
  if (text.length > MAX_LENGTH) return null
  const words = readWords(text)
  const asked = words.replace(OPENING, '').replace(CLOSING, '')
  const wish = wishes.find(([, pattern]) => pattern.test(words) || pattern.test(asked))?.[0]
  if (!wish) return null
  if (wish === 'shorter' && !before && /summ|résum/.test(words)) return null
  if (wish === 'translate') return { text: say(language, 'no_translation') }
  if (!before) return { text: say(language, wish === 'sure' ? 'lost' : 'no_answer_yet') }
  return {
    text: rework(wish, before.text.trim(), language),
    ...(before.number && wish === 'again' && { number: before.number }),
  }
}

const OPENING =
  /^(?:please|can you|could you|now|ok|and|no|just|but|peux tu|pouvez vous|tu peux|maintenant|et|non) /
const CLOSING = / (?:please|now|for me|again|then|stp|svp|s il te plaît|s il vous plaît|maintenant)$/
const ANSWER = /(?<!\p{L})(?:(?:the|your) (?:last )?answer|this|that)(?!\p{L})/gu

/** Returns the words in lower case without punctuation. “it” replaces all names of the answer. */
const readWords = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ').replace(ANSWER, 'it')

function rework(wish: Exclude<Wish, 'translate'>, last: string, language: Question['language']): string {
  const isEmpty = isUnanswered(last) || isPoliteness(last)
  if (wish === 'again') return last
  if (wish === 'why') return say(language, isUnanswered(last) ? 'why_refused' : 'why_rules')
  if (wish === 'sure') return say(language, isEmpty ? 'why_refused' : 'sure')
  if (wish === 'longer') return say(language, isUnanswered(last) ? 'why_refused' : 'no_longer')
  return wish === 'list' ? listOf(last) : shorten(last, isEmpty, language)
}

/** Returns the best of several sentences, otherwise a sentence that the answer is short already. */
function shorten(last: string, isEmpty: boolean, language: Question['language']): string {
  const sentences = readSentences(last)
  if (isEmpty || sentences.length < 2) return say(language, 'short_already')
  const [best] = extractSummary(sentences.join(' '), 1)
  return best ?? say(language, 'short_already')
}

const listOf = (last: string) =>
  readSentences(last)
    .map((sentence) => `- ${sentence}`)
    .join('\n')

/** Returns the sentences of an answer without its list marks and headings. */
function readSentences(answer: string): string[] {
  const lines = answer.split('\n').map((line) => line.replace(/^\s{0,9}(?:[-*]|\d{1,3}\.)\s/, '').trim())
  return lines.filter((line) => line !== '' && !/[:\u00a0]$/.test(line)).flatMap(splitSentences)
}
