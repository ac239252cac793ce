/** A request in a text to do something at certain times. An empty `text` means the question before. */
export type ScheduleWish = {
  name: string
  text: string
  is_reminder: boolean
  repeats: 'days' | 'weekdays' | 'month_days' | 'hours' | 'minutes'
  count: number
  days: number[]
  time: string
}

const weekdays = [
  ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ...['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
]
const WEEKDAY =
  /(?<!\p{L})(?:every|each|chaque|tous les|on|le)\s(monday|tuesday|wednesday|thursday|friday|saturday|sunday|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?(?!\p{L})/iu
const WORKDAYS = /(?<!\p{L})(?:every (?:weekday|working day)|chaque jour ouvré|en semaine)(?!\p{L})/iu
const DAYS =
  /(?<!\p{L})(?:every (?:day|morning)|each day|daily|chaque (?:jour|matin)|tous les jours)(?!\p{L})/iu
const LAST_DAY =
  /(?<!\p{L})(?:(?:on the )?last day of (?:the|each|every) month|le dernier jour (?:du|de chaque) mois)(?!\p{L})/iu
const INTERVAL = /(?<!\p{L})(?:every|toutes les|chaque)\s(?:(\d{1,3})\s)?(minutes?|hours?|heures?)(?!\p{L})/iu
/** The time after a rhythm, such as “at 8”, “at 7 pm” or “à 17h30”. */
const TIME =
  /^,?\s?(?:at|à)\s(\d{1,2})(?:\s?(?:[:h.]|o'clock|heures?)(\d{2})?)?(?:\s?(am|pm))?(?![\p{L}\p{N}])/iu
/** Requests, so that a question about mondays is none. */
const REQUEST =
  /^(?:(?:please|can you|could you|peux-tu|pouvez-vous) )?(?:do|repeat|run|ask|tell|send|remind|check|summari[sz]e|schedule|faites?|fais|répète|répétez|exécutez?|demandez?|envoie|envoyez|rappelle|rappelez|me rappeler|vérifiez?|planifiez?|résumez?)(?!\p{L})/iu
const REMINDER =
  /^(?:(?:please|can you|could you|peux-tu|pouvez-vous) )?(?:remind me|(?:rappelle|rappelez)-moi|me rappeler)(?!\p{L})[\s,]?(?:(?:to|that|about|of|de|que)\s|[dq]u?['’])?/iu
const references = new Set(['this', 'that', 'it', 'again', 'ceci', 'cela', 'ça', 'le'])

const MAX_READ = 2_000
const MAX_NAME = 60

type Rhythm = Pick<ScheduleWish, 'repeats' | 'count' | 'days'>

/** Returns the schedule that a text asks for, such as “Do this every Monday at 8”, or null. */
export function findScheduleWish(text: string): ScheduleWish | null {
  if (text.length > MAX_READ) return null
  const asked = text.trim().replace(/\s+/g, ' ')
  const found = REQUEST.test(asked) ? findRhythm(asked) : null
  if (!found) return null
  const { rhythm, from, to } = found
  const at = TIME.exec(asked.slice(to))
  const isInterval = rhythm.repeats === 'minutes' || rhythm.repeats === 'hours'
  const end = to + (at && !isInterval ? at[0].length : 0)
  const rest = `${asked.slice(0, from)}${asked.slice(end)}`
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s,.])[\s,.]+$/, '')
  const is_reminder = REMINDER.test(asked)
  const work = isReference(rest) ? '' : is_reminder ? subjectOf(rest.trim()) : rest.trim()
  return {
    ...{ name: (work || asked).slice(0, MAX_NAME), text: work, is_reminder, ...rhythm },
    time: at && !isInterval ? timeOf(at.slice(1)) : '08:00',
  }
}

/** Returns what a reminder is about: “Call Bea” of “Remind me to call Bea”. */
function subjectOf(text: string): string {
  const subject = text.replace(REMINDER, '').replace(/(?<![\s?])[\s?]+$/, '')
  return subject.charAt(0).toUpperCase() + subject.slice(1)
}

function findRhythm(text: string): { rhythm: Rhythm; from: number; to: number } | null {
  const place = (found: RegExpExecArray, rhythm: Rhythm) => ({
    ...{ rhythm, from: found.index, to: found.index + found[0].length },
  })
  const weekday = WEEKDAY.exec(text)
  const day = weekdays.indexOf(weekday?.[1]?.toLowerCase() ?? '')
  if (weekday) return place(weekday, { repeats: 'weekdays', count: 1, days: [(day % 7) + 1] })
  const workdays = WORKDAYS.exec(text)
  if (workdays) return place(workdays, { repeats: 'weekdays', count: 1, days: [1, 2, 3, 4, 5] })
  const days = DAYS.exec(text)
  if (days) return place(days, { repeats: 'days', count: 1, days: [] })
  const last = LAST_DAY.exec(text)
  if (last) return place(last, { repeats: 'month_days', count: 1, days: [-1] })
  const interval = INTERVAL.exec(text)
  if (!interval) return null
  const repeats = interval[2]?.toLowerCase().startsWith('m') ? 'minutes' : 'hours'
  return place(interval, { repeats, count: Math.max(1, Number(interval[1] ?? 1)), days: [] })
}

/** Returns whether a request names no work of its own, such as “Do this”. */
function isReference(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const work = words.filter((word) => word !== 'please')
  return work.length <= 1 || (work.length === 2 && references.has(work[1] ?? ''))
}

function timeOf([hours = '8', minutes = '00', half]: (string | undefined)[]): string {
  const shift = half?.toLowerCase() === 'pm' && Number(hours) < 12 ? 12 : 0
  const value = (Number(hours) + shift) % 24
  return `${String(value).padStart(2, '0')}:${Number(minutes) < 60 ? minutes : '00'}`
}
