/** What a text asks to do at times. An empty `text` means the question before. */
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
  ...['monday|lundi', 'tuesday|mardi', 'wednesday|mercredi', 'thursday|jeudi', 'friday|vendredi'],
  ...['saturday|samedi', 'sunday|dimanche'],
]
const hour = String.raw`(?:\s*,?\s*(?:at|à|a)\s+(\d{1,2})(?:\s*(?:[:h.]|o'clock|heures?)\s*(\d{2})?)?\s*(am|pm)?)?`
const rhythms: {
  pattern: RegExp
  read: (found: RegExpExecArray) => Omit<ScheduleWish, 'name' | 'text' | 'is_reminder' | 'time'>
}[] = [
  ...weekdays.map((names, index) => ({
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:every|each|chaque|tous les|on|le)\s+(?:${names})s?${hour}`,
      'iu',
    ),
    read: () => ({ repeats: 'weekdays' as const, count: 1, days: [index + 1] }),
  })),
  {
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:every (?:weekday|working day)|chaque jour ouvré|en semaine)${hour}`,
      'iu',
    ),
    read: () => ({ repeats: 'weekdays', count: 1, days: [1, 2, 3, 4, 5] }),
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:every day|each day|daily|chaque jour|tous les jours|every morning|chaque matin)${hour}`,
      'iu',
    ),
    read: () => ({ repeats: 'days', count: 1, days: [] }),
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\p{L})(?:on the )?last day of (?:the|each|every) month${hour}|le dernier jour (?:du|de chaque) mois${hour}`,
      'iu',
    ),
    read: () => ({ repeats: 'month_days', count: 1, days: [-1] }),
  },
  {
    pattern: /(?<!\p{L})(?:every|toutes les|chaque)\s+(?:(\d{1,3})\s+)?(minutes?|hours?|heures?)(?!\p{L})/iu,
    read: ([, count = '1', unit = '']) => ({
      repeats: /^m/i.test(unit) ? 'minutes' : 'hours',
      ...{ count: Math.max(1, Number(count)), days: [] },
    }),
  },
]
/** Requests, so that a question about mondays is none. */
const REQUEST =
  /^(?:(?:please|can you|could you|s['’]il (?:te|vous) plaît|peux-tu|pouvez-vous)\s+)?(?:do|repeat|run|ask|tell|send|remind|check|summari[sz]e|schedule|faites?|fais|répète|exécute|demande|envoie|rappelle|vérifie|planifie)(?!\p{L})/iu
const THIS = /^(?:\S+\s+)?(?:this|that|it|again|ceci|cela|ça|le)?[\s,.!]*$/iu
const MAX_NAME = 60

/** Returns the schedule that a text asks for, such as “Do this every Monday at 8”, or null. */
export function findScheduleWish(text: string): ScheduleWish | null {
  const asked = text.trim()
  if (asked.length > 2_000 || !REQUEST.test(asked)) return null
  for (const { pattern, read } of rhythms) {
    const found = pattern.exec(asked)
    if (!found) continue
    const rhythm = read(found)
    const isInterval = rhythm.repeats === 'minutes' || rhythm.repeats === 'hours'
    const rest = asked.replace(found[0], ' ').replace(/\s+/g, ' ').trim()
    const isThis = THIS.test(rest.replace(/^(?:please|s['’]il (?:te|vous) plaît)\s+/iu, ''))
    const work = isThis ? '' : rest.replace(/[\s,]+$/, '')
    const is_reminder = /^(?:remind|rappelle)/iu.test(asked)
    return {
      ...{ name: (work || asked).slice(0, MAX_NAME), text: work, is_reminder, ...rhythm },
      time: isInterval ? '08:00' : timeOf(found.slice(1)),
    }
  }
  return null
}

function timeOf([hours, minutes = '00', half]: (string | undefined)[]): string {
  if (hours === undefined) return '08:00'
  const shift = half?.toLowerCase() === 'pm' && Number(hours) < 12 ? 12 : 0
  const value = (Number(hours) + shift) % 24
  return `${String(value).padStart(2, '0')}:${Number(minutes) < 60 ? minutes : '00'}`
}
