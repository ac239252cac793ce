import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '#shared/errors.ts'
import { lowerPriority } from '../../lower-priority.ts'
import { parseDescription } from './description.ts'
import { describeApi } from './list-operations.ts'
import { makeCall } from './make-call.ts'

/** What is to be read: all a description offers, or these operations as calls. */
export type Reading = { text: string; base: string | null; pick: { keys: string[]; server: string } | null }

// A large description takes a second of a core. Requests for pages come first.
lowerPriority(10)

parentPort?.postMessage(read(workerData as Reading))

function read({ text, base, pick }: Reading): { value: unknown } | { refused: string } {
  try {
    const description = parseDescription(text)
    if (!pick) return { value: describeApi(description, base) }
    return { value: pick.keys.map((key) => makeCall(description, key, pick.server)) }
  } catch (error) {
    if (error instanceof AppError) return { refused: error.detail }
    throw error
  }
}
