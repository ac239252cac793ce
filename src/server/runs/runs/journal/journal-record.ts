import type { RunEvent } from '#shared/runs/runs/events.ts'
import type { Tables } from '../../../platform/db/tables.ts'

export type RecordKind = Tables['run_records']['kind']
/** The content of a record: its result and its events. */
export type RecordValue = { value: unknown; events: RunEvent[] }
export type JournalRecord = { position: number; kind: RecordKind; key: string; epoch: number } & RecordValue

/** The writer of records: a process, for one run, in one epoch. */
export type Holder = { runId: string; owner: string; epoch: number }

/** Thrown when another process owns the run or the run is deleted. Code that catches it writes nothing more. */
export class LostRunError extends Error {
  constructor(runId: string) {
    super(`Run ${runId} is no longer held by this process.`)
    this.name = 'LostRunError'
  }
}
