import { type Phrase, say } from '../phrases.ts'
import { greetings, smallTalk } from './courtesy-words.ts'
import type { Answer, Question } from './skill.ts'

const MAX_LENGTH = 120
/** Shorter forms of courtesies before another one: “Hello! All is well, thank you.” */
const SHORT: Partial<Record<Phrase, Phrase>> = {
  hello: 'hello_short',
  morning: 'morning_short',
  afternoon: 'afternoon_short',
  evening: 'evening_short',
  well: 'well_short',
}

/** Answers greetings, thanks, small talk, and questions about the built-in model. */
export function answerCourtesy({ text, language }: Question): Answer | null {
  if (text.length > MAX_LENGTH) return null
  const clauses = text.split(/[,.!?;:…—()\n]+|(?<![\p{L}'’])(?:and|et|but|mais)(?![\p{L}'’])/iu)
  const whole = findReply(wordsOf(text))
  const found = whole ? [whole] : clauses.map(wordsOf).filter(Boolean).flatMap(findReplies)
  const [last] = found.slice(-1)
  if (!last || found.includes(null)) return null
  const shown = [...new Set(found)].filter((reply) => reply !== null)
  // A question about its abilities is a question to answer. Other courtesies are omitted when another part has an answer.
  if (shown.includes('about')) return { text: say(language, 'about') }
  const shorts = shown.map((reply) => say(language, SHORT[reply] ?? reply))
  const texts = shown.map((reply, at) => (at < shown.length - 1 ? (shorts[at] ?? '') : say(language, reply)))
  return { text: texts.join(' '), isCourtesy: true, short: shorts.join(' ') }
}

const PLEASE = / (?:please|pls|stp|svp|s il te plaît|s il vous plaît)$/
const CALLED =
  / (?:there|all|everyone|everybody|you|again|(?:my )?friend|buddy|à tous|à toutes|tout le monde|à toi|à vous|toi|vous|mon ami|atrium)$/

function findReply(words: string): Phrase | null {
  const find = (table: [Phrase, RegExp][], ...said: string[]) =>
    table.find(([, pattern]) => said.some((one) => pattern.test(one)))?.[0] ?? null
  return (
    find(greetings, words, words.replace(CALLED, '')) ?? find(smallTalk, words, words.replace(PLEASE, ''))
  )
}

/** Returns the courtesies in a clause without punctuation: “okay thanks bye”; null for other words. */
function findReplies(clause: string): (Phrase | null)[] {
  const words = clause.split(' ')
  if (words.length > MAX_WORDS) return [findReply(clause)]
  for (let length = words.length; length > 0; length--) {
    const reply = findReply(words.slice(0, length).join(' '))
    if (reply && length === words.length) return [reply]
    if (reply) return [reply, ...findReplies(words.slice(length).join(' '))]
  }
  return [null]
}
const MAX_WORDS = 9

const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
