import { randomUUID } from 'node:crypto'
import { isEvent, type Rule } from '#shared/chat/schedules/rule.ts'
import type {
  NewSchedule,
  ScheduleChanges,
  ScheduleSettings,
  UsedThing,
} from '#shared/chat/schedules/settings.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Audit } from '../../identity/audit/audit.ts'
import { findReadableConnector } from '../../knowledge/readable-connectors/readable-connectors.ts'
import { findModelFor } from '../../models/model-choice/model-choice.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { readMentions } from '../mentions/mentions.ts'
import { readLimits, readNow } from './limit-store.ts'
import { assertRule, assertShowable } from './rule/check-rule.ts'
import {
  changeSchedule,
  countAll,
  countOn,
  insertSchedule,
  isColleague,
  isStored,
  lockSchedule,
  setState,
} from './store.ts'

/** Stores a new schedule and returns its id. A known id of the caller stores nothing. @throws AppError `invalid`, `conflict` */
export async function createSchedule(
  deps: Deps,
  user: Caller,
  body: NewSchedule,
  audit: Audit,
): Promise<string> {
  const { id = randomUUID(), kind, ...given } = body
  if (body.id && (await isStored(deps.db, id)))
    return findAllowed(deps.db, user, 'read schedule', id).then(() => id)
  const settings = await checkSettings(deps, user, { id, kind }, given)
  const { max_per_person } = await readLimits(deps.db)
  await deps.db.transaction().execute(async (trx) => {
    const count = await countOn(trx, user.id)
    // Another browser stored it in the meantime.
    if (await isStored(trx, id)) return
    if (count >= max_per_person) throw tooMany(max_per_person)
    if (!(await insertSchedule(trx, { id, user_id: user.id, kind, state: 'on', ...settings }))) return
    await audit(trx, { did: 'schedule.created', subject: settings.name, subjectId: id })
  })
  await findAllowed(deps.db, user, 'read schedule', id)
  return id
}

/** Stores a change. @throws AppError `invalid`, `conflict` when a newer version exists */
export async function saveSchedule(
  deps: Deps,
  user: Caller,
  id: string,
  { version, ...changes }: ScheduleChanges,
  audit: Audit,
): Promise<void> {
  const before = await findAllowed(deps.db, user, 'write schedule', id)
  const settings = await checkSettings(deps, user, before, merge(before, changes), changes)
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockSchedule(trx, id)
    if (!row) throw new AppError('not_found', 'Schedule not found')
    if (row.version !== before.version || (version !== undefined && version !== row.version))
      throw new AppError('conflict', 'This schedule was changed elsewhere. Load it again.')
    const isNewRule = changes.rule !== undefined || changes.time_zone !== undefined
    await changeSchedule(trx, id, settings, isNewRule)
    await audit(trx, { did: 'schedule.changed', subject: settings.name, subjectId: id })
  })
}

function merge(before: ScheduleSettings, changes: Omit<ScheduleChanges, 'version'>): ScheduleSettings {
  const { name, rule, time_zone, text, fields, things, model_name, target, only_changes } = before
  const { max_cost, max_minutes, overlap, missed, deputy_id, deputy_after_minutes, skip_after_minutes } =
    before
  return {
    ...{ name, rule, time_zone, text, fields, things, model_name, target, only_changes },
    ...{ max_minutes, overlap, missed, deputy_id, deputy_after_minutes, skip_after_minutes },
    max_cost: max_cost === null ? null : Number(max_cost),
    ...(changes as Partial<ScheduleSettings>),
  }
}

/** Turns a schedule on or pauses it. @throws AppError `conflict` at the maximum, `invalid` for a rule without a run */
export async function switchSchedule(
  deps: Deps,
  user: Caller,
  id: string,
  state: 'on' | 'paused',
  audit: Audit,
) {
  const limits = await readLimits(deps.db)
  await deps.db.transaction().execute(async (trx) => {
    const count = await countOn(trx, user.id, id)
    const row = await lockSchedule(trx, id)
    if (!row || row.state === state) return
    if (state === 'on') {
      const { rule, time_zone } = row
      const has_mailbox = deps.mailbox.address !== null
      assertRule({ rule, time_zone, now: await readNow(trx), min_minutes: limits.min_minutes, has_mailbox })
      if (count >= limits.max_per_person) throw tooMany(limits.max_per_person)
    }
    await setState(trx, id, state)
    const did = state === 'on' ? 'schedule.resumed' : 'schedule.paused'
    await audit(trx, { did, subject: row.name, subjectId: id })
  })
}

/** Stores a paused copy and returns its id. */
export async function duplicateSchedule(deps: Deps, user: Caller, id: string, audit: Audit): Promise<string> {
  const row = await findAllowed(deps.db, user, 'read schedule', id)
  const copy = randomUUID()
  await deps.db.transaction().execute(async (trx) => {
    await insertSchedule(trx, {
      id: copy,
      user_id: user.id,
      kind: row.kind,
      state: 'paused',
      is_by_others: row.is_by_others,
      ...merge(row, {}),
    })
    await audit(trx, { did: 'schedule.created', subject: row.name, subjectId: copy })
  })
  return copy
}

/** Paused schedules that an archive may bring. */
const MAX_RESTORED = 1_000

/**
 * Stores a schedule of an archive, paused. Its text counts as written by others. `also` runs in the same transaction.
 * @throws AppError `invalid`, `conflict` at the maximum
 */
export async function restoreSchedule(
  deps: Deps,
  user: Caller,
  { id: _, kind, anchor_at, ...given }: NewSchedule & { anchor_at: Date | null },
  also: (trx: Deps['db'], id: string) => Promise<void>,
): Promise<void> {
  const { things } = given
  const id = randomUUID()
  assertShowable(given)
  const settings = await checkSettings(deps, user, { id, kind }, given, { things })
  await deps.db.transaction().execute(async (trx) => {
    if ((await countAll(trx, user.id)) >= MAX_RESTORED)
      throw new AppError('conflict', `You have ${MAX_RESTORED} schedules, which is the maximum.`)
    const row = { id, user_id: user.id, kind, state: 'paused' as const, is_by_others: true, anchor_at }
    await insertSchedule(trx, { ...row, ...settings })
    await also(trx, id)
  })
}

function tooMany(count: number): AppError {
  return new AppError(
    'conflict',
    `You have ${count} schedules turned on, which is the maximum. Pause one first.`,
  )
}

/** Checks rule, rights and combinations, and adds the names of what is used. */
async function checkSettings(
  deps: Deps,
  user: Caller,
  { id, kind }: { id: string; kind: 'prompt' | 'reminder' },
  settings: ScheduleSettings,
  changes: Partial<ScheduleSettings> = settings,
): Promise<ScheduleSettings> {
  const { min_minutes } = await readLimits(deps.db)
  const { rule, time_zone, deputy_id } = settings
  if (changes.rule || changes.time_zone)
    assertRule({
      ...{ rule, time_zone, min_minutes, has_mailbox: deps.mailbox.address !== null },
      now: await readNow(deps.db),
    })
  if (settings.target === 'one_chat' && settings.overlap === 'parallel')
    throw new AppError('invalid', 'Runs in one chat cannot be parallel. Let each run open a new chat.')
  if (settings.fields.some(({ type }) => type === 'file' || type === 'document'))
    throw new AppError(
      'invalid',
      'A schedule cannot fill in files. Choose the documents of the schedule instead.',
    )
  if (kind === 'reminder' && isEvent(rule))
    throw new AppError('invalid', 'A reminder needs a time. Choose when it is due.')
  for (const { name, label, required, value = '' } of settings.fields)
    if (!isEvent(rule) && required && value.trim() === '')
      throw new AppError('invalid', `“${label || name}” needs a value.`)
  if (deputy_id && changes.deputy_id) await assertColleague(deps, user, deputy_id)
  if (changes.rule) await assertEvent(deps, user, changes.rule, id)
  if (kind === 'reminder') return { ...settings, things: [], model_name: null }
  if (settings.model_name && changes.model_name) await findModelFor(deps, user.id, settings.model_name)
  if (!changes.things) return settings
  return { ...settings, things: await nameThings(deps, user, settings.things) }
}

/** @throws AppError `invalid` for a schedule that follows itself, `forbidden`, `not_found` for what the person may not read */
async function assertEvent({ db }: Deps, user: Caller, rule: Rule, id: string): Promise<void> {
  if (rule.kind === 'document' || rule.kind === 'project_run')
    await findAllowed(db, user, 'read workspace', rule.workspace_id)
  if (rule.kind === 'connector_document') await findReadableConnector(db, user, rule.connector_id)
  if (rule.kind !== 'schedule_run') return
  if (rule.schedule_id === id) throw new AppError('invalid', 'A schedule cannot start after itself.')
  await findAllowed(db, user, 'read schedule', rule.schedule_id)
}

/** Returns whether a person may use a thing now. */
export async function isUsable(deps: Deps, user: Caller, { kind, id }: UsedThing): Promise<boolean> {
  try {
    await readMentions(deps, user, [{ kind, id }])
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

async function nameThings(deps: Deps, user: Caller, things: UsedThing[]): Promise<UsedThing[]> {
  const { named } = await readMentions(deps, user, things)
  return things.map((thing) => ({
    ...thing,
    name: named.find(({ kind, id }) => kind === thing.kind && id === thing.id)?.name ?? thing.id,
  }))
}

/** @throws AppError `forbidden` for somebody who is not a colleague */
export async function assertColleague({ db }: Pick<Deps, 'db'>, user: Caller, id: string): Promise<void> {
  if (id === user.id || !(await isColleague(db, user.id, id)))
    throw new AppError('forbidden', 'Choose a colleague of one of your companies.')
}
