import { say } from '../phrases.ts'
import { findDays, isDay, startOfDay, writeDay } from '../words/days.ts'
import type { Answer, Question } from './skill.ts'

/** Answers a message that consists of a range, a score, a phone number or a date. */
export function answerRanges({ text, tokens, language, now }: Question): Answer | null {
  const whole = text.trim().replace(/[.?!]$/, '')
  if (whole.length > 30) return null
  const [token] = tokens.filter(({ kind }) => kind !== 'sign')
  const [a = '', b = ''] = whole.split(/\s?[-–—:]\s?/)
  if (/^\d{1,2}[-–:]\d{1,2}$/.test(whole) && !/^\d{1,2}:\d{2}$/.test(whole))
    return { text: say(language, 'is_dash', whole, a, b) }
  if (token?.kind === 'range' && token.text === whole) {
    const isYears = /^\d{4}\s?[-–—]\s?\d{2,4}$/.test(whole)
    return {
      text: isYears ? say(language, 'is_years', whole, fill(a, b), a) : say(language, 'is_phone', whole),
    }
  }
  if (token?.kind !== 'date' || token.text !== whole) return null
  const [day] = findDays(tokens, language, startOfDay(now))
  if (!isDay(day)) return null
  const isPast = day.date < startOfDay(now)
  return { text: say(language, isPast ? 'was_day' : 'will_be_day', writeDay(day.date, language)) }
}

/** Completes the second year: “1992-93” ends in 1993. */
const fill = (from: string, to: string) => (to.length === 2 ? from.slice(0, 2) + to : to)
