import { Worker } from 'node:worker_threads'
import { AppError } from '#shared/platform/errors.ts'
import { codeUrl } from '../../../platform/process/checkout.ts'
import { ownModulesOnly } from '../../../platform/process/own-modules.ts'
import type { ChatDocument } from '../chat/chat-document.ts'

type Told = { share: number } | { bytes: Uint8Array }
type Following = { onDone?: ((share: number) => void) | undefined; signal?: AbortSignal | undefined }

/** Concurrent writer threads per process; each one occupies a core. */
const AT_ONCE = 2
const MEMORY_MB = 1_024

let writing = 0
const waiting: (() => void)[] = []

/** Writes pages in a separate thread. @throws AppError `too_large` when it runs out of memory */
export async function writePages(
  document: ChatDocument,
  format: 'docx' | 'pdf',
  following: Following = {},
): Promise<Uint8Array> {
  while (writing >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  writing += 1
  try {
    following.signal?.throwIfAborted()
    return await write(document, format, following)
  } finally {
    writing -= 1
    waiting.shift()?.()
  }
}

function write(document: ChatDocument, format: string, { onDone, signal }: Following): Promise<Uint8Array> {
  const worker = new Worker(codeUrl('src/server/chat/exports/writers/writer-thread.ts'), {
    workerData: { document, format },
    execArgv: ownModulesOnly,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  return new Promise<Uint8Array>((resolve, reject) => {
    const stop = () => {
      void worker.terminate()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
    worker.on('message', (told: Told) => {
      if ('share' in told) return onDone?.(told.share)
      resolve(told.bytes)
      signal?.removeEventListener('abort', stop)
    })
    worker.on('error', (error) => reject(explain(error)))
    worker.on('exit', () => reject(new Error('The writer ended before it was done.')))
  })
}

function explain(error: unknown): unknown {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (!isMemory) return error
  return new AppError('too_large', 'This chat is too long for pages. Take it out as Markdown or JSON.')
}
