import { NOT_IN_DOCUMENTS } from '../evidence.ts'
import { joinAnswers } from './join-answers.ts'
import { say } from './phrases.ts'
import { mostRead, type Task } from './task.ts'
import { writeNumber } from './words/numerals.ts'
import type { Part, Work } from './work.ts'

/** The answers to the parts of a task, and what was not looked at for them. */
export function writeReply(
  { language, isCut, passages }: Pick<Task, 'language' | 'isCut' | 'passages'>,
  { parts }: Work,
): string {
  if (passages && !parts.some(({ answer }) => answer)) return NOT_IN_DOCUMENTS
  const told = parts.filter(({ answer }) => !answer?.isCourtesy)
  const said = told.some(({ answer }) => answer)
    ? joinAnswers(told.map((part) => answerPart(part, language)))
    : told.length > 0
      ? say(language, 'refused')
      : (parts[0]?.answer?.text ?? say(language, 'refused'))
  const note = isCut ? `\n\n${say(language, 'cut', writeNumber(String(mostRead), language))}` : ''
  return said + note
}

/** A part that nothing was found for is named. */
function answerPart({ asked, answer }: Part, language: Task['language']): string {
  return answer?.text ?? say(language, 'undone', asked.replace(/(?<![\s.?!])[\s.?!]+$/, ''))
}
