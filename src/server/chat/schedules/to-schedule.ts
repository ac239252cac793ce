import {
  type ListedSchedule,
  PREVIEW_RUNS,
  type Schedule,
  type ScheduleMail,
} from '#shared/chat/schedules/schedules.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { nextRuns } from './rule/check-rule.ts'
import { type SlotRow, toSlot } from './slot-store.ts'
import type { ScheduleRow } from './store.ts'
import { sayRule } from './texts.ts'

/** Returns a schedule as its owner sees it. */
export function toSchedule(
  row: ScheduleRow,
  language: Language,
  now: Date,
  mail: ScheduleMail | null,
): Schedule {
  const { rule, time_zone, text, fields, things, model_name, target, only_changes, version } = row
  const { max_cost, max_minutes, overlap, missed, deputy_id, deputy_name, deputy_after_minutes } = row
  return {
    ...factsOf(row, language, now),
    ...{ text, fields, things, model_name, target, only_changes, version, session_id: row.session_id, mail },
    ...{ max_cost, max_minutes, overlap, missed, deputy_id, deputy_name, deputy_after_minutes },
    skip_after_minutes: row.skip_after_minutes,
    next_runs:
      row.state === 'on'
        ? nextRuns({ rule, time_zone, anchor_at: row.anchor_at }, now, PREVIEW_RUNS).map(iso)
        : [],
  }
}

/** Returns an entry of a list. */
export function toListed(
  row: ScheduleRow,
  last: SlotRow | undefined,
  language: Language,
  now: Date,
): ListedSchedule {
  return {
    ...factsOf(row, language, now),
    assistant_name: row.things.find(({ kind }) => kind === 'assistant')?.name ?? null,
    last: last ? toSlot(last) : null,
  }
}

/** Returns the next run: a planned slot, or beyond the planned day the next time of the rule. */
export function nextOf(
  row: Pick<ScheduleRow, 'state' | 'next_at' | 'rule' | 'time_zone' | 'anchor_at'>,
  now: Date,
): string | null {
  if (row.state !== 'on') return null
  const next = row.next_at ?? nextRuns(row, now, 1)[0]
  return next ? iso(next) : null
}

function factsOf(row: ScheduleRow, language: Language, now: Date) {
  const { id, name, kind, state, stopped_for, rule, time_zone, cost, offered_to } = row
  return {
    ...{ id, name, kind, state, stopped_for, rule, time_zone, cost, offered_to },
    sentence: sayRule(row, language),
    next_at: nextOf(row, now),
    updated_at: iso(row.updated_at),
  }
}

const iso = (time: Date) => time.toISOString()
