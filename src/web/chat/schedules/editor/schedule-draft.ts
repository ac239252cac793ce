import { useState } from 'react'
import type { PromptField } from '#shared/chat/prompts/fields.ts'
import { namesIn } from '#shared/chat/prompts/template.ts'
import { isEvent, type Rule, type TimeRule } from '#shared/chat/schedules/rule.ts'
import type { Schedule } from '#shared/chat/schedules/schedules.ts'
import { isSender, MAX_SENDERS } from '#shared/chat/schedules/senders.ts'
import type { NewSchedule } from '#shared/chat/schedules/settings.ts'

/** The form of a schedule: the body of its creation with an id that a repetition shares. */
export type Draft = Required<Omit<NewSchedule, 'id'>> & { id: string }

export type FormProps = { draft: Draft; change: (next: Partial<Draft>) => void }

export const defaultRule: TimeRule = { kind: 'weekdays', days: [1], time: '08:00' }

export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

function emptyDraft(): Draft {
  return {
    ...{
      id: crypto.randomUUID(),
      kind: 'prompt',
      name: '',
      rule: defaultRule,
      time_zone: browserZone(),
      text: '',
    },
    ...{ fields: [], things: [], model_name: null, target: 'one_chat', only_changes: false },
    ...{ max_cost: null, max_minutes: null, overlap: 'wait', missed: 'last' },
    ...{ deputy_id: null, deputy_after_minutes: 1440, skip_after_minutes: null },
  }
}

function draftOf(schedule: Schedule): Draft {
  const { id, kind, name, rule, time_zone, text, fields, things, model_name, target, only_changes } = schedule
  const { max_cost, max_minutes, overlap, missed, deputy_id, deputy_after_minutes, skip_after_minutes } =
    schedule
  return {
    ...{ id, kind, name, rule, time_zone, text, fields, things, model_name, target, only_changes },
    ...{ max_cost, max_minutes, overlap, missed, deputy_id, deputy_after_minutes, skip_after_minutes },
  }
}

const BUILT_IN = new Set(['today', 'user_name', 'language', 'selected_text', 'last_reply', 'project'])

/** Returns the fields of a text: known ones keep their type and value, new placeholders are lines of text. */
export function fieldsOf(text: string, known: readonly PromptField[]): PromptField[] {
  return namesIn(text)
    .filter((name) => !BUILT_IN.has(name))
    .map(
      (name) =>
        known.find((field) => field.name === name) ?? { name, label: '', type: 'text', required: false },
    )
}

/** The parts of a form that still lack something. */
export function problemsOf({ name, text, fields, rule }: Draft): Set<string> {
  // An event brings the values.
  const needed = isEvent(rule) ? [] : fields
  const empty = needed.filter(({ required, value = '' }) => required && value.trim() === '')
  return new Set([
    ...(name.trim() === '' ? ['name'] : []),
    ...(text.trim() === '' ? ['text'] : []),
    ...(isComplete(rule) ? [] : ['rule']),
    ...empty.map((field) => `field.${field.name}`),
  ])
}

/** Returns whether the project, the source or the schedule of an event is chosen, and whether all senders are addresses or domains. */
export function isComplete(rule: Rule): boolean {
  if (rule.kind === 'document' || rule.kind === 'project_run') return rule.workspace_id !== ''
  if (rule.kind === 'connector_document') return rule.connector_id !== ''
  if (rule.kind === 'mail') return rule.senders.length <= MAX_SENDERS && rule.senders.every(isSender)
  return rule.kind !== 'schedule_run' || rule.schedule_id !== ''
}

/** The form of a schedule, and what differs from what is stored. */
export function useScheduleEdits(schedule: Schedule | null, beginnings: Partial<Draft> = {}) {
  const [first] = useState(() => ({ ...emptyDraft(), ...beginnings }))
  const [edits, setEdits] = useState<Partial<Draft>>({})
  const stored = schedule ? draftOf(schedule) : first
  const draft: Draft = { ...stored, ...edits }
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored)
  /** Forgets saved edits. Edits made during the request stay. */
  const noteSaved = (saved: Partial<Draft>) =>
    setEdits((now) => {
      const kept = Object.entries(now).filter(([name, value]) => value !== saved[name as keyof Draft])
      return Object.fromEntries(kept) as Partial<Draft>
    })
  const change = (next: Partial<Draft>) =>
    setEdits((before) => {
      const merged = { ...before, ...next }
      if (next.text === undefined) return merged
      return { ...merged, fields: fieldsOf(next.text, merged.fields ?? stored.fields) }
    })
  return { draft, edits, change, forget: () => setEdits({}), noteSaved, isChanged }
}
