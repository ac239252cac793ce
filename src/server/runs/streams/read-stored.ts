import type { Kysely } from 'kysely'
import type { RunView } from '#shared/runs/runs/view.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { readEvents } from '../events/events.ts'
import { type CatchUp, createTape, type Tape, type Wish } from './tape.ts'

/** The stored events of a run, and the part to replay to a reader. */
export type Stored = {
  /** The fold of all stored events, or null when there are none. */
  view: RunView | null
  /** The newest stored id. */
  newest: number | null
  /** Whether the event that brought the run to rest in its current epoch is stored. */
  isEnded: boolean
  /** Events to replay, or null when the reader gets a snapshot. */
  replay: CatchUp | null
}

/** Maximum replayed events; beyond it the reader gets a snapshot. */
const MAX_REPLAYED = 50_000

type Run = { id: string; epoch: number }

export async function readStored(db: Kysely<Tables>, run: Run, wish: Wish): Promise<Stored> {
  const tape = await loadTape(db, run, needsEvents(wish) ? MAX_REPLAYED : 0)
  const { view, newest, isEnded } = tape
  return { view, newest, isEnded, replay: tape.catchUp(wish) }
}

/** Loads all stored events of a run; retains at least the last `keep` of them. */
export async function loadTape(db: Kysely<Tables>, { id, epoch }: Run, keep: number): Promise<Tape> {
  const tape = createTape(epoch, keep)
  for await (const page of readEvents(db, { runId: id, after: 0 })) for (const said of page) tape.add(said)
  return tape
}

export const needsEvents = ({ after, chunks }: Wish) => after !== null || chunks
