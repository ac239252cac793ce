import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { RunEvent, RunEventBody } from '#shared/runs/runs/events.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { StoppingBudget } from '../../../money/billing/billing.ts'
import type { Sending } from '../../../platform/access/classes/classes.ts'
import { type Database, isDiskFull, isUnreachable } from '../../../platform/db/db.ts'
import type { PausedFor } from '../../../platform/db/money-tables.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Publisher } from '../../events/events.ts'
import { type Holder, type JournalRecord, LostRunError, type RecordKind } from '../journal/journal-record.ts'
import { appendRecord } from '../journal/journal-store.ts'
import type { Losses } from '../watch/losses.ts'
import { readPerson } from './read-person.ts'
import type { Answer, Bill, Expired, Question, RunInput } from './run-context.ts'

/** A run owned by this process. */
export type LiveRun = {
  id: string
  /** The root run: itself, or the parent it shares its owner with. */
  rootId: string
  /** Channel of its readers: the session, or the run's own id when it is standalone. */
  sessionId: string
  holder: Holder
  attempt: number
  /** When this process claimed it (`performance.now`), and whether it was marked as responsive since. */
  heldSince: number
  hasTurned: boolean
  losses: Losses
  agentVersion: number
  input: RunInput
  userMessage: Message | null
  /** Records by `kind:key`. */
  records: Map<string, JournalRecord>
  nextPosition: number
  /** Keys used since the replay started. */
  used: Set<string>
  publisher: Publisher
  abort: AbortController
  /** Active steps, and questions waiting until there are none. */
  steps: Set<string>
  asks: { key: string; question: Question; resolve: (answer: Answer | Expired) => void }[]
  /** Usage of steps that did not commit. */
  openBills: Map<string, Bill[]>
  pauseRequested: boolean
  /** Position and reason of the pause. */
  pausedAt: { name: string; reason: PausedFor; budget?: StoppingBudget } | null
  /** Text that lost attempts sent for uncommitted steps, by step. */
  lostTexts: ReadonlyMap<string, string>
  /** Why it was aborted, or null while it is active. */
  ending: Ending | null
  /** Parks or releases the run. Set by the engine, called when no step is active. */
  onIdle: () => void
  /** Called when this process has lost the run: its readers must reattach elsewhere. */
  onLeft: Set<() => void>
  /** The queue that serialises writes. */
  turn: Promise<unknown>
}

export type Ending = 'stop' | 'time' | 'lost' | 'release'

/** Aborts the run's work. `ending` decides the run's fate; the first reason wins. */
export function endRun(run: LiveRun, ending: Ending): void {
  if (run.ending) return
  run.ending = ending
  run.abort.abort(new Error(`The run was ended: ${ending}.`))
}

/** Returns the session the run works in, or null for a standalone run. */
export function workplaceOf(run: LiveRun): string | null {
  return run.input.standalone ? null : run.sessionId
}

/** Describes what the calls of a run send: its classes of data count for them. */
export const sendingOf = (deps: Parameters<typeof readPerson>[0], run: LiveRun): Sending => ({
  ...{ runId: run.id, language: run.input.language },
  reader: () => readPerson(deps, run.input),
  position: () => run.nextPosition,
})

/** Adds the origin to an event. */
export function stamp(run: LiveRun, stepKey: string | null, body: RunEventBody): RunEvent {
  return { ...body, run_id: run.id, step_key: stepKey, attempt: run.attempt } as RunEvent
}

type Entry = { kind: RecordKind; key: string; value: unknown; events: RunEvent[] }

/**
 * Commits a record after those before it.
 * @throws LostRunError and every database error; after a transient one the run is released and resumed.
 */
export async function commit(
  db: Database,
  run: LiveRun,
  entry: Entry,
  also: ((trx: Kysely<Tables>) => Promise<void>)[] = [],
): Promise<void> {
  await inTurn(run, async () => {
    if (run.ending === 'lost') throw new LostRunError(run.id)
    const position = run.nextPosition
    await appendRecord(db, run.holder, { ...entry, position, attempt: run.attempt }, also).catch((error) => {
      if (isPassing(error)) endRun(run, 'lost')
      throw error
    })
    remember(run, { ...entry, position, epoch: run.holder.epoch })
  })
}

/**
 * Returns whether an error is transient: the database is unavailable, two writes conflicted, or the in-memory state
 * is stale. Such a run is resumed from its journal.
 */
export function isPassing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return error instanceof LostRunError || isUnreachable(error) || /^(40|55P03|23505)/.test(code)
}

/** Adds a committed record to the in-memory journal. */
export function remember(run: LiveRun, record: JournalRecord): void {
  run.records.set(`${record.kind}:${record.key}`, record)
  run.nextPosition = Math.max(run.nextPosition, record.position + 1)
}

/** Runs a run's writes one after another. While the disk is full they wait, because the output is already paid for. */
export function inTurn<T>(run: LiveRun, write: () => Promise<T>): Promise<T> {
  const mine = run.turn.then(() => whenThereIsRoom(run, write))
  run.turn = mine.catch(() => undefined)
  return mine
}

/** Retry interval while the disk is full, in milliseconds. */
const ROOM_MS = 1_000

async function whenThereIsRoom<T>(run: LiveRun, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isDiskFull(error) || run.ending === 'lost') throw error
      await sleep(ROOM_MS)
    }
  }
}

/** The key of the step whose code is running, if any. */
export const insideStep = new AsyncLocalStorage<string>()

/** Marks a key as used. @throws inside a step, or when this run already used the key */
export function takeKey(run: LiveRun, key: string): void {
  const outer = insideStep.getStore()
  if (outer !== undefined) throw new Error(`${key} is inside the step ${outer}: a step is a leaf.`)
  if (run.used.has(key)) throw new Error(`${key} was used before in this run.`)
  run.used.add(key)
}
