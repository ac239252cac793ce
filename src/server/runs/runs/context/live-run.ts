import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { RunEvent, RunEventBody } from '#shared/runs/runs/events.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { StoppingBudget } from '../../../money/billing/billing.ts'
import { type Database, isDiskFull, isUnreachable } from '../../../platform/db/db.ts'
import type { PausedFor } from '../../../platform/db/money-tables.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Publisher } from '../../events/events.ts'
import { type Holder, type JournalRecord, LostRunError, type RecordKind } from '../journal/journal-record.ts'
import { appendRecord } from '../journal/journal-store.ts'
import type { Losses } from '../watch/losses.ts'
import type { Answer, Bill, Expired, Question, RunInput } from './run-context.ts'

/** A run that this process holds. */
export type LiveRun = {
  id: string
  /** The run it is held together with: itself, or the one it is a part of. */
  rootId: string
  /** Whose readers hear it: those of its session, or of a standalone run itself. */
  sessionId: string
  holder: Holder
  attempt: number
  /** Since when this process holds it (`performance.now`), and whether it was marked as seen since. */
  heldSince: number
  hasTurned: boolean
  losses: Losses
  agentVersion: number
  input: RunInput
  userMessage: Message | null
  /** Records by `kind:key`. */
  records: Map<string, JournalRecord>
  nextPosition: number
  /** Keys used since the replay began. */
  used: Set<string>
  publisher: Publisher
  abort: AbortController
  /** Steps under way, and questions that wait until none is. */
  steps: Set<string>
  asks: { key: string; question: Question; resolve: (answer: Answer | Expired) => void }[]
  /** What steps used that did not commit. */
  openBills: Map<string, Bill[]>
  pauseRequested: boolean
  /** Where and why it stands still, once a pause took effect. */
  pausedAt: { name: string; reason: PausedFor; budget?: StoppingBudget } | null
  /** What lost attempts had sent of steps that did not commit, by step. */
  lostTexts: ReadonlyMap<string, string>
  /** Why it was aborted, or null while it goes on. */
  ending: Ending | null
  /** Parks or lets go: set by the engine, called when no step is under way. */
  onIdle: () => void
  /** Called when this process has lost it: its readers have to look elsewhere. */
  onLeft: Set<() => void>
  /** One write at a time. */
  turn: Promise<unknown>
}

export type Ending = 'stop' | 'time' | 'lost' | 'release'

/** Ends the run's work; what happens to the run is decided by `ending`. The first reason counts. */
export function endRun(run: LiveRun, ending: Ending): void {
  if (run.ending) return
  run.ending = ending
  run.abort.abort(new Error(`The run was ended: ${ending}.`))
}

/** The session that a run works in; a standalone run has none to lock or to show anything in. */
export function workplaceOf(run: LiveRun): string | null {
  return run.input.standalone ? null : run.sessionId
}

/** An event with its origin. */
export function stamp(run: LiveRun, stepKey: string | null, body: RunEventBody): RunEvent {
  return { ...body, run_id: run.id, step_key: stepKey, attempt: run.attempt } as RunEvent
}

type Entry = { kind: RecordKind; key: string; value: unknown; events: RunEvent[] }

/**
 * Commits a record, after those before it.
 * @throws LostRunError, and every error of the database; after one that passes the run is let go and taken up again.
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
 * Whether an error says nothing about the run: the database is away, two writes were in each other's way, or what is
 * known here of the run is not what stands there. It is taken up again from its journal.
 */
export function isPassing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return error instanceof LostRunError || isUnreachable(error) || /^(40|55P03|23505)/.test(code)
}

/** Keeps a committed record for the rest of this run. */
export function remember(run: LiveRun, record: JournalRecord): void {
  run.records.set(`${record.kind}:${record.key}`, record)
  run.nextPosition = Math.max(run.nextPosition, record.position + 1)
}

/** Runs the writes of a run one after another; while the disk is full they wait, because what was said is paid for. */
export function inTurn<T>(run: LiveRun, write: () => Promise<T>): Promise<T> {
  const mine = run.turn.then(() => whenThereIsRoom(run, write))
  run.turn = mine.catch(() => undefined)
  return mine
}

/** How often a full disk is tried again, in milliseconds. */
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

/** The step whose code is running, if any. */
export const insideStep = new AsyncLocalStorage<string>()

/** Takes a key for good. @throws inside a step, and when it was used before in this run */
export function takeKey(run: LiveRun, key: string): void {
  const outer = insideStep.getStore()
  if (outer !== undefined) throw new Error(`${key} is inside the step ${outer}: a step is a leaf.`)
  if (run.used.has(key)) throw new Error(`${key} was used before in this run.`)
  run.used.add(key)
}
