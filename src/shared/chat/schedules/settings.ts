import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { Id, label, text } from '../../platform/primitives.ts'
import { PromptFields } from '../prompts/fields.ts'
import { Rule } from './rule.ts'

/** Maximum length of the prompt in characters. */
export const MAX_SCHEDULE_TEXT = 100_000

export const ScheduleKind = z.enum(['prompt', 'reminder'])
export type ScheduleKind = z.infer<typeof ScheduleKind>

/** Something that a schedule uses. Its name is the one when it was chosen. */
export const UsedThing = z.object({
  kind: z.enum(['assistant', 'document', 'workspace', 'tool']),
  id: text(1, 100),
  name: z._default(text(0, 300), ''),
})
export type UsedThing = z.infer<typeof UsedThing>

const Minutes = z.int().check(z.gte(1), z.lte(525_600))

/** Settings of a schedule as they are stored. */
const stored = {
  name: label(1, 100),
  rule: Rule,
  /** IANA name. */
  time_zone: text(1, 64),
  /** The message that is sent, with placeholders such as `{{supplier}}`, or the text of a reminder. */
  text: text(1, MAX_SCHEDULE_TEXT),
  /** Fields of the text, as in a prompt. `value` is what is filled in. */
  fields: PromptFields,
  /** At most one assistant. A run fails when one of these may no longer be used. */
  things: z.array(UsedThing).check(z.maxLength(10)),
  model_name: z.nullable(text(1, MAX_MODEL_NAME)),
  /** Results are turns of one chat, or open a new chat each. */
  target: z.enum(['one_chat', 'new_chats']),
  /** Keeps a result only when it differs from the last one. */
  only_changes: z.boolean(),
  /** Dollars after which a run makes no further model call; null for no limit. */
  max_cost: z.nullable(z.number().check(z.positive(), z.lte(1_000_000))),
  /** Minutes of work after which a run ends; null for the usual limit. */
  max_minutes: z.nullable(z.int().check(z.gte(1), z.lte(60))),
  /** Treatment of a run that is due while the previous one still works. Runs in one chat cannot be parallel. */
  overlap: z.enum(['wait', 'skip', 'parallel']),
  /** Treatment of runs missed during a downtime. `all` runs at most the latest ten. */
  missed: z.enum(['skip', 'last', 'all']),
  /** Colleague who is asked when the owner does not answer. */
  deputy_id: z.nullable(Id),
  deputy_after_minutes: Minutes,
  /** Minutes after which an unanswered question ends the run; null to wait without a limit. */
  skip_after_minutes: z.nullable(Minutes),
}

export const ScheduleSettings = z.object(stored)
export type ScheduleSettings = z.infer<typeof ScheduleSettings>

export const NewSchedule = z.object({
  ...stored,
  kind: z._default(ScheduleKind, 'prompt'),
  fields: z._default(stored.fields, []),
  things: z._default(stored.things, []),
  model_name: z._default(stored.model_name, null),
  target: z._default(stored.target, 'one_chat'),
  only_changes: z._default(stored.only_changes, false),
  max_cost: z._default(stored.max_cost, null),
  max_minutes: z._default(stored.max_minutes, null),
  overlap: z._default(stored.overlap, 'wait'),
  missed: z._default(stored.missed, 'last'),
  deputy_id: z._default(stored.deputy_id, null),
  deputy_after_minutes: z._default(Minutes, 1440),
  skip_after_minutes: z._default(stored.skip_after_minutes, null),
  /** Makes a repeated request return the same schedule. */
  id: z.optional(Id),
})
export type NewSchedule = z.infer<typeof NewSchedule>

export const ScheduleChanges = z.extend(z.partial(ScheduleSettings), {
  /** Version the changes are based on. Nothing is stored when a newer version exists. */
  version: z.optional(z.int().check(z.gte(0), z.lte(2_000_000_000))),
})
export type ScheduleChanges = z.infer<typeof ScheduleChanges>
