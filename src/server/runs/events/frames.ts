import { randomUUID } from 'node:crypto'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { splitEvent, type WireEvent } from '#shared/runs/runs/split.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Pieces } from '../../platform/http/streaming/send-queue.ts'
import type { Frame } from './channels.ts'

/** Multiplier of the epoch in a stream id. */
const EPOCH = 1_000_000_000

/** Returns the id before the first event of an epoch. */
export function firstId(epoch: number): number {
  return epoch * EPOCH
}

export function epochOf(id: number): number {
  return Math.floor(id / EPOCH)
}

/** Creates the frame builder of one run. Deltas of a step share a JSON prefix, which is serialised once. */
export function createFramer(): (id: number, event: RunEvent) => Frame {
  let stepKey: string | null = null
  let head = ''
  const dataOf = (event: RunEvent) => {
    if (event.event !== 'response_chunk') return formatData(event)
    if (head === '' || stepKey !== event.step_key) {
      const { run_id, step_key, attempt } = event
      stepKey = step_key
      head = `${JSON.stringify({ run_id, step_key, attempt }).slice(0, -1)},"content":`
    }
    return `${head}${JSON.stringify(event.content)}}`
  }
  return (id, event) => frameOf(id, event, dataOf(event))
}

/** Builds a frame. Pass `data` when the JSON is already known, for example from the store. */
export function frameOf(id: number, event: RunEvent, data: string = formatData(event)): Frame {
  const wireId = event.event === 'task_stream_init' ? null : String(id)
  return { id, event, data, text: formatWire(event.event, wireId, data) }
}

/** Formats one event for the wire and splits it when it is large. */
export function formatWire(event: string, id: string | null, data: string): string {
  return [...formatPieces({ event, id, data })].join('')
}

/** The `data` of a stream's first frame, shared by any number of readers. */
export type Beginning = { data: string; bytes: number }

export function encodeInit(init: Extract<RunEvent, { event: 'task_stream_init' }>): Beginning {
  const data = formatData(init)
  return { data, bytes: Buffer.byteLength(data) }
}

/** Formats the init event piece by piece as it is read, because it can hold a whole message and reply. */
export function formatInit({ data, bytes }: Beginning): Pieces {
  return { pieces: formatPieces({ event: 'task_stream_init', id: null, data }), bytes }
}

function* formatPieces(event: WireEvent): Generator<string, void> {
  for (const part of splitEvent(event, randomUUID))
    yield `${part.id === null ? '' : `id: ${part.id}\n`}event: ${part.event}\ndata: ${part.data}\n\n`
}

function formatData({ event: _name, ...fields }: RunEvent): string {
  return toJson(fields)
}
