import painterUrl from 'pdfjs-dist/legacy/build/pdf.renderer.min.mjs?url'
import readerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import { takeEarlyThreads } from '../../web/platform/lib/early/early.ts'

/** Workers that read files and draw pages. `failed` rejects when one cannot start or crashes. */
type Threads = { reader: Worker; painter: Worker; failed: Promise<never> }

/** Address for another painter, needed while the first one draws another document. */
export { painterUrl }

let threads: Threads | null = null

/** Starts the workers once for all documents; crashed ones are replaced for the next document. */
export function startThreads(): Threads {
  threads ??= start()
  return threads
}

function start(): Threads {
  const [
    reader = new Worker(readerUrl, { type: 'module', name: 'pdf-reader' }),
    painter = new Worker(painterUrl, { type: 'module', name: 'pdf-painter' }),
  ] = takeEarlyThreads()
  const { promise: failed, reject } = Promise.withResolvers<never>()
  for (const thread of [reader, painter])
    thread.addEventListener('error', () => {
      threads = null
      reject(new Error('The PDF reader broke.'))
    })
  failed.catch(() => undefined)
  return { reader, painter, failed }
}
