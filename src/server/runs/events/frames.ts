import { randomUUID } from 'node:crypto'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { splitEvent, type WireEvent } from '#shared/runs/runs/split.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Pieces } from '../../platform/http/streaming/send-queue.ts'
import type { Frame } from './channels.ts'

/** The n of epoch × 10⁹ + n. */
const EPOCH = 1_000_000_000

/** The id before the first one of an epoch. */
export function firstId(epoch: number): number {
  return epoch * EPOCH
}

export function epochOf(id: number): number {
  return Math.floor(id / EPOCH)
}

/** Makes frames of one run. Deltas share the beginning of their JSON, so it is written once per step. */
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

/** A frame whose data is known, as one that comes from the store. */
export function frameOf(id: number, event: RunEvent, data: string = formatData(event)): Frame {
  const wireId = event.event === 'task_stream_init' ? null : String(id)
  return { id, event, data, text: formatWire(event.event, wireId, data) }
}

/** The text of one event, in pieces when it is large. */
export function formatWire(event: string, id: string | null, data: string): string {
  return [...formatPieces({ event, id, data })].join('')
}

/** The first frame of a stream as data, to be sent to any number of readers. */
export type Beginning = { data: string; bytes: number }

export function encodeInit(init: Extract<RunEvent, { event: 'task_stream_init' }>): Beginning {
  const data = formatData(init)
  return { data, bytes: Buffer.byteLength(data) }
}

/** It may be as large as a message and a reply: made piece by piece as it is read. */
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
