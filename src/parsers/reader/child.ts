import { languageOf } from '../elements/language.ts'
import type { Order } from '../elements/order.ts'
import { Unreadable } from '../elements/port.ts'
import type { DrawOrder } from '../image/draw-order.ts'
import { drawPicture } from '../image/draw-picture.ts'
import { drawThumbnail } from '../thumbnail/thumbnail.ts'
import { readDocument } from './read-document.ts'
import { writeReading } from './write-reading.ts'

/** Messages to a child process and from it. Its result is in the order's output folder; see `writeReading`. */
export type ToChild = { kind: 'read'; order: Order } | { kind: 'draw'; order: DrawOrder } | { kind: 'cancel' }
export type FromChild =
  | { kind: 'ready' }
  | { kind: 'progress'; done: number; total: number }
  /** Everything but the thumbnail is written. */
  | { kind: 'written' }
  | { kind: 'read' }
  | { kind: 'unreadable'; code: Unreadable['code']; values: Unreadable['values'] }
  | { kind: 'failed'; detail: string }

let current: AbortController | null = null

process.on('message', (message: ToChild) => {
  if (message.kind === 'cancel') current?.abort(new Error('cancelled'))
  else if (message.kind === 'draw') void work((signal) => drawPicture(message.order, signal))
  else void work((signal) => read(message.order, signal))
})
// The parent process has ended.
process.on('disconnect', () => process.exit())
say({ kind: 'ready' })

async function work(perform: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController()
  current = controller
  try {
    await perform(controller.signal)
    say({ kind: 'read' })
  } catch (error) {
    say(describe(error))
  } finally {
    current = null
  }
}

async function read(order: Order, signal: AbortSignal): Promise<void> {
  const onProgress = (done: number, total: number) => say({ kind: 'progress', done, total })
  const reading = await readDocument(order, signal, onProgress)
  const language = languageOf(reading.text)
  await writeReading(reading, { folder: order.outFolder, name: order.name, language })
  say({ kind: 'written' })
  await drawThumbnail(order, reading)
}

function describe(error: unknown): FromChild {
  if (error instanceof Unreadable) return { kind: 'unreadable', code: error.code, values: error.values }
  return { kind: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

function say(message: FromChild): void {
  process.send?.(message)
}
