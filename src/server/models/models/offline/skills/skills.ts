import { answerCalendar } from './calendar.ts'
import { answerClock } from './clock.ts'
import { answerCourtesy } from './courtesy.ts'
import { answerDates } from './dates.ts'
import { answerFigures } from './figures.ts'
import { answerFollowUps } from './follow-ups.ts'
import { answerMoney } from './money.ts'
import { answerRanges } from './ranges.ts'
import { answerShares } from './shares.ts'
import type { Answer, Question, Skill } from './skill.ts'
import { answerTexts } from './texts.ts'
import { answerUnits } from './units.ts'

/**
 * Abilities of the built-in model, the most reliable first. A skill is a file and a row here. Tool calls are in `intents.ts`; sums,
 * which a tool may also calculate, are in `work.ts`.
 */
const skills: Skill[] = [
  { name: 'follow-ups', answer: answerFollowUps },
  { name: 'texts', answer: answerTexts },
  { name: 'courtesy', answer: answerCourtesy },
  { name: 'clock', answer: answerClock },
  { name: 'calendar', answer: answerCalendar },
  { name: 'ranges', answer: answerRanges },
  { name: 'money', answer: answerMoney },
  { name: 'figures', answer: answerFigures },
  { name: 'units', answer: answerUnits },
  { name: 'shares', answer: answerShares },
  { name: 'dates', answer: answerDates },
]

/** Returns whether a message concerns the chat or the clock rather than a document. */
export const isSmallTalk = (question: Question): boolean =>
  [answerFollowUps, answerCourtesy, answerClock, answerCalendar].some((answer) => answer(question) !== null)

export function answerBySkill(question: Question): Answer | null {
  for (const { answer } of skills) {
    const given = answer(question)
    if (given) return given
  }
  return null
}
