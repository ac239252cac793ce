import { parentPort } from 'node:worker_threads'
import { AppError } from '#shared/platform/errors.ts'
import { lowerPriority } from '../../process/lower-priority.ts'
import { type Said, wholeBuffer } from './thread.ts'

/** Does the work of a thread: each message is a piece of it, and is answered once. Errors of the work are told, not thrown. */
export function serveThread<Input>(work: (input: Input) => unknown): void {
  // Requests for pages come first.
  lowerPriority(10)
  parentPort?.on('message', (input: Input) => {
    const said = answer(work, input)
    const moved = 'value' in said && said.value instanceof Uint8Array ? wholeBuffer(said.value) : []
    parentPort?.postMessage(said, moved)
  })
}

function answer<Input>(work: (input: Input) => unknown, input: Input): Said {
  try {
    return { value: work(input) }
  } catch (error) {
    if (error instanceof AppError) return { refused: { code: error.code, detail: error.detail } }
    if (error instanceof SyntaxError) return { syntax: error.message }
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
