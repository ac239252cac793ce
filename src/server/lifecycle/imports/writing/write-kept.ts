import { NewSchedule, type UsedThing } from '#shared/chat/schedules/settings.ts'
import { AppError } from '#shared/platform/errors.ts'
import { restoreFact } from '../../../chat/memory/memory.ts'
import { isUsable, restoreSchedule } from '../../../chat/schedules/schedules.ts'
import type { ForeignFact, ForeignSchedule } from '../readers/foreign.ts'
import { asObject } from '../readers/read-values.ts'
import { deriveId } from './derived-id.ts'
import { findOwnProject } from './project-store.ts'
import { findThing, insertThings, type ThingKind } from './thing-store.ts'
import { Elsewhere, holdImport, Repeated, type Work } from './work.ts'

/** Stores a fact with its place in the history. A fact that the person has already is not added. @throws AppError; Stopped */
export async function writeFact(work: Work, fact: ForeignFact): Promise<void> {
  const { deps, origin } = work
  await deps.db.transaction().execute(async (trx) => {
    await holdImport(work, trx)
    if ((await findThing(trx, origin, 'fact', fact.id)) !== null) return
    const { text, state, origin: from, learned, replaced, used, uses } = fact
    const of = fact.of === null ? null : await findThing(trx, origin, 'fact', fact.of)
    // The fact that it belongs to is not here, so its history is not either.
    if (state === 'replaced' && of === null) return
    const workspaceId = await projectOf(work, trx, fact)
    const id = deriveId(origin, 'fact', fact.id)
    const source = await sourceOf(work, trx, fact)
    const times = { learned_at: learned, replaced_at: replaced, used_at: used }
    const isNew = await restoreFact(trx, {
      ...{ id, userId: origin.user_id, workspaceId, text, state, of, origin: from, uses, source, ...times },
    })
    if (isNew) await note(work, trx, { kind: 'fact', foreign_id: fact.id, thing_id: id })
  })
}

/** Returns the imported project of a fact; null for one of the person alone. @throws Elsewhere */
async function projectOf({ origin }: Work, trx: Work['deps']['db'], { project }: ForeignFact) {
  if (project === null) return null
  const id = await findThing(trx, origin, 'project', project)
  const own = id && (await findOwnProject(trx, origin.user_id, id))
  if (!own) throw new Elsewhere()
  return own
}

async function sourceOf({ origin }: Work, trx: Work['deps']['db'], { chat, message }: ForeignFact) {
  if (chat === null || message === null) return null
  const session_id = await findThing(trx, origin, 'chat', chat)
  const message_id = await findThing(trx, origin, 'message', `${chat}/${message}`)
  return session_id && message_id ? { session_id, message_id } : null
}

/** Stores a schedule, paused, without its deputy. It uses the assistants and documents that were imported. @throws AppError; Stopped */
export async function writeSchedule(work: Work, schedule: ForeignSchedule): Promise<void> {
  const { deps, origin, user } = work
  if ((await findThing(deps.db, origin, 'schedule', schedule.id)) !== null) return
  const things = await usedThings(work, schedule)
  const parsed = NewSchedule.safeParse({
    ...pick(schedule.settings),
    rule: await restoreRule(work, schedule.settings.rule),
    ...{ name: schedule.name, things, deputy_id: null },
  })
  if (!parsed.success) throw new AppError('invalid', 'The schedule is not valid.')
  await restoreSchedule(deps, user, { ...parsed.data, anchor_at: schedule.anchor }, async (trx, thing_id) => {
    await holdImport(work, trx)
    if ((await findThing(trx, origin, 'schedule', schedule.id)) !== null) throw new Repeated()
    await note(work, trx, { kind: 'schedule', foreign_id: schedule.id, thing_id })
  })
}

const settings = [
  ...(['kind', 'rule', 'time_zone', 'text', 'fields', 'model_name', 'target', 'only_changes'] as const),
  ...([
    'max_cost',
    'max_minutes',
    'overlap',
    'missed',
    'deputy_after_minutes',
    'skip_after_minutes',
  ] as const),
]

function pick(found: Record<string, unknown>) {
  return Object.fromEntries(settings.flatMap((name) => (name in found ? [[name, found[name]]] : [])))
}

/** Returns a rule with the ids of the imported project or schedule that it follows. A rule whose thing is not here stays invalid. */
async function restoreRule({ deps, origin }: Work, rule: unknown): Promise<unknown> {
  const { workspace_id, schedule_id } = asObject(rule) ?? {}
  const find = (kind: 'project' | 'schedule', id: unknown) =>
    typeof id === 'string' ? findThing(deps.db, origin, kind, id) : null
  return {
    ...asObject(rule),
    ...(workspace_id !== undefined && { workspace_id: await find('project', workspace_id) }),
    ...(schedule_id !== undefined && { schedule_id: await find('schedule', schedule_id) }),
  }
}

/** Returns the things of a schedule that are here and that the person may use. */
async function usedThings(work: Work, schedule: ForeignSchedule) {
  const usable: UsedThing[] = []
  for (const thing of await foundThings(work, schedule))
    if (await isUsable(work.deps, work.user, thing)) usable.push(thing)
  return usable
}

/** Kinds of imported things, by the kinds of things that a schedule uses. */
const places = { assistant: 'assistant', document: 'file', workspace: 'project' } as const

async function foundThings({ deps: { db }, origin }: Work, { things }: ForeignSchedule) {
  const used: UsedThing[] = []
  for (const { kind, id, name } of things.slice(0, 10)) {
    const found =
      kind === 'assistant' || kind === 'document' || kind === 'workspace'
        ? await findThing(db, origin, places[kind], kind === 'document' ? `document/${id}` : id)
        : null
    if (found !== null) used.push({ kind: kind as UsedThing['kind'], id: found, name })
    // Tools of the product have the same names everywhere. Those of a person do not exist here.
    if (kind === 'tool' && /^[a-z_]{1,100}$/.test(id)) used.push({ kind, id, name })
  }
  return used
}

type Noted = { kind: ThingKind; foreign_id: string; thing_id: string }

function note({ origin, importId }: Work, trx: Work['deps']['db'], { kind, ...thing }: Noted): Promise<void> {
  return insertThings(trx, { ...origin, kind, import_id: importId, session_id: null }, [thing])
}
