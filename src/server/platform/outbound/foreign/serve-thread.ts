import { parentPort } from 'node:worker_threads'
import { AppError } from '#shared/platform/errors.ts'
import { lowerPriority } from '../../process/lower-priority.ts'
import { type Said, wholeBuffer } from './thread.ts'

/** Runs the work of a thread. Each message is one task and gets one answer. Errors are returned as answers, not thrown. */
export function serveThread<Input>(work: (input: Input) => unknown): void {
  // Page requests have priority.
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
