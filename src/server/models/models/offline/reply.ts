import { NOT_IN_DOCUMENTS } from '../evidence.ts'
import { joinAnswers } from './join-answers.ts'
import { say } from './phrases.ts'
import { refusalFor } from './refusal.ts'
import { mostRead, type Task } from './task.ts'
import { writeNumber } from './words/numerals.ts'
import type { Part, Work } from './work.ts'

/** Writes the answers to the parts of a task, with a note when only its beginning was read. */
export function writeReply(
  { text, language, isForeign, isCut, passages }: Omit<Task, 'results' | 'earlier' | 'given' | 'zone'>,
  { parts }: Work,
): string {
  if (passages && !parts.some(({ answer }) => answer)) return NOT_IN_DOCUMENTS
  const told = parts.filter(({ answer }) => !answer?.isCourtesy)
  const said = told.some(({ answer }) => answer)
    ? joinAnswers([...new Set(told.map((part) => answerPart(part, language)))])
    : told.length > 0
      ? refuse(told[0]?.asked ?? text, language, isForeign)
      : writeCourtesies(parts) || say(language, EMOJI.test(text) ? 'ok' : 'lost')
  const note = isCut ? `\n\n${say(language, 'cut', writeNumber(String(mostRead), language))}` : ''
  return said + note
}

const EMOJI = /\p{Extended_Pictographic}/u

const refuse = (asked: string, language: Task['language'], isForeign: boolean) =>
  isForeign ? say('en', 'speaks') : say(language, refusalFor(asked))

/** Joins courtesies. Only the last one offers help. */
function writeCourtesies(parts: Part[]): string {
  const texts = parts.flatMap(({ answer }, at) =>
    answer ? [at < parts.length - 1 ? (answer.short ?? answer.text) : answer.text] : [],
  )
  return [...new Set(texts)].join(' ')
}

/** Returns the answer to a part, or a sentence that names the part when it has none. */
function answerPart({ asked, answer }: Part, language: Task['language']): string {
  return answer?.text ?? say(language, 'undone', asked.replace(/(?<![\s.?!])[\s.?!]+$/, ''))
}
