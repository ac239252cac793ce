import { randomUUID } from 'node:crypto'
import type { RunEvent } from '#shared/runs/events.ts'
import { splitEvent } from '#shared/runs/split.ts'
import { toJson } from '../db/db.ts'
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
  const parts = splitEvent({ event, id, data }, randomUUID)
  return parts
    .map(
      (part) => `${part.id === null ? '' : `id: ${part.id}\n`}event: ${part.event}\ndata: ${part.data}\n\n`,
    )
    .join('')
}

function formatData({ event: _name, ...fields }: RunEvent): string {
  return toJson(fields)
}
