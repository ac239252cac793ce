import type { Kysely } from 'kysely'
import type { RunView } from '#shared/runs/runs/view.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { readEvents } from '../events/events.ts'
import { type CatchUp, createTape, type Tape, type Wish } from './tape.ts'

/** What a run has stored of what it sent, and what of it a reader with a wish still needs. */
export type Stored = {
  /** All of it folded; null when nothing is stored. */
  view: RunView | null
  /** The newest id. */
  newest: number | null
  /** Whether the event is stored that brought it to rest in its present epoch. */
  isEnded: boolean
  /** What to send the reader, or null when it gets the whole. */
  replay: CatchUp | null
}

/** More than this many events are not sent again: the whole says the same. */
const MAX_REPLAYED = 50_000

type Run = { id: string; epoch: number }

export async function readStored(db: Kysely<Tables>, run: Run, wish: Wish): Promise<Stored> {
  const tape = await loadTape(db, run, needsEvents(wish) ? MAX_REPLAYED : 0)
  const { view, newest, isEnded } = tape
  return { view, newest, isEnded, replay: tape.catchUp(wish) }
}

/** All that a run has stored; of its events at least the last `keep`. */
export async function loadTape(db: Kysely<Tables>, { id, epoch }: Run, keep: number): Promise<Tape> {
  const tape = createTape(epoch, keep)
  for await (const page of readEvents(db, { runId: id, after: 0 })) for (const said of page) tape.add(said)
  return tape
}

export const needsEvents = ({ after, chunks }: Wish) => after !== null || chunks
