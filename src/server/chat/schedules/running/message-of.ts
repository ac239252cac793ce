import type { PromptField } from '#shared/chat/prompts/fields.ts'
import { fillIn } from '#shared/chat/prompts/template.ts'
import type { UsedThing } from '#shared/chat/schedules/settings.ts'
import { localeOf } from '#shared/platform/locale.ts'
import type { Language } from '#shared/platform/primitives.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import { isDate, todayIn } from '../rule/due-times.ts'
import { introduceData } from '../texts.ts'
import type { EventData } from '../triggers/event-data.ts'

type Template = { text: string; fields: PromptField[]; things: UsedThing[]; time_zone: string }
type Owner = Pick<Caller, 'language' | 'username' | 'full_name'>

/**
 * Returns the message of a run: the text with the values of its fields and the built-in fields, as a prompt fills them in. Data of
 * an event stands below the text as JSON; the text names it in brackets.
 */
export function messageOf(
  template: Template,
  owner: Owner,
  now: Date,
  event: EventData | null = null,
): string {
  const { text, fields, things, time_zone } = template
  const { language, username, full_name } = owner
  const today = todayIn(now, time_zone)
  const builtIn = {
    today,
    user_name: full_name?.trim() || username,
    language: new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? '',
    project: things.find(({ kind }) => kind === 'workspace')?.name ?? '',
    // A schedule begins without a selection and without a reply.
    ...{ selected_text: '', last_reply: '' },
  }
  const raw = new Map(Object.entries(builtIn))
  const written = new Map(Object.entries({ ...builtIn, today: writeDay(today, language) }))
  const values = fields.map(({ name, type, value = '' }): [string, string] => [
    name,
    type === 'date' ? writeDay(fillIn(value, raw), language) : fillIn(value, written),
  ])
  const delivered = Object.entries(event?.values ?? {})
  const names = delivered.map(([name]): [string, string] => [name, `[${name}]`])
  const filled = fillIn(text, new Map([...written, ...values, ...names]))
  if (!event || (delivered.length === 0 && event.kind === 'call')) return filled
  const data = delivered.length === 0 ? '' : `\n\`\`\`json\n${JSON.stringify(event.values, null, 2)}\n\`\`\``
  return `${filled}\n\n${introduceData(event.kind, language)}${data}`
}

/** Writes a day as in “4 January 2027”. Other texts stay. */
function writeDay(day: string, language: Language): string {
  if (!isDate(day)) return day
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}
