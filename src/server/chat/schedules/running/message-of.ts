import type { PromptField } from '#shared/chat/prompts/fields.ts'
import { fillIn } from '#shared/chat/prompts/template.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import { todayIn } from '../rule/due-times.ts'

type Template = { text: string; fields: PromptField[]; time_zone: string }

/** Returns the message of a run: the text with the values of its fields and the built-in fields. */
export function messageOf({ text, fields, time_zone }: Template, owner: Caller, now: Date): string {
  const { language, username, full_name } = owner
  const today = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: time_zone }).format(now)
  const shared = { user_name: full_name || username, language }
  const written = new Map(Object.entries({ ...shared, today }))
  const raw = new Map(Object.entries({ ...shared, today: todayIn(now, time_zone) }))
  const values = fields.map(({ name, type, value = '' }): [string, string] => [
    name,
    fillIn(value, type === 'date' ? raw : written),
  ])
  return fillIn(text, new Map([...written, ...values]))
}
