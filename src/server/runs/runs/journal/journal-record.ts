import type { RunEvent } from '#shared/runs/runs/events.ts'
import type { Tables } from '../../../platform/db/tables.ts'

export type RecordKind = Tables['run_records']['kind']
/** What a record keeps: the result, and the events that belong to it. */
export type RecordValue = { value: unknown; events: RunEvent[] }
export type JournalRecord = { position: number; kind: RecordKind; key: string; epoch: number } & RecordValue

/** Who writes: a process, for one run, in one epoch. */
export type Holder = { runId: string; owner: string; epoch: number }

/** The run is another process's, or gone. Code that catches this writes nothing more. */
export class LostRunError extends Error {
  constructor(runId: string) {
    super(`Run ${runId} is no longer held by this process.`)
    this.name = 'LostRunError'
  }
}
