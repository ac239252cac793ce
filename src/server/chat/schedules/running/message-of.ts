import type { PromptField } from '#shared/chat/prompts/fields.ts'
import { fillIn } from '#shared/chat/prompts/template.ts'
import type { UsedThing } from '#shared/chat/schedules/settings.ts'
import { localeOf } from '#shared/platform/locale.ts'
import type { Language } from '#shared/platform/primitives.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import { isDate, todayIn } from '../rule/due-times.ts'

type Template = { text: string; fields: PromptField[]; things: UsedThing[]; time_zone: string }
type Owner = Pick<Caller, 'language' | 'username' | 'full_name'>

/** Returns the message of a run: the text with the values of its fields and the built-in fields, as a prompt fills them in. */
export function messageOf({ text, fields, things, time_zone }: Template, owner: Owner, now: Date): string {
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
  return fillIn(text, new Map([...written, ...values]))
}

/** Writes a day as in “4 January 2027”. Other texts stay. */
function writeDay(day: string, language: Language): string {
  if (!isDate(day)) return day
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}
