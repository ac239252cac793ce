import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { ChatDocument } from '../chat/chat-document.ts'
import { writeDocx } from './write-docx.ts'
import { writePdf } from './write-pdf.ts'

// Here a thread has a priority of its own: whoever waits for a page comes first.
if (process.platform === 'linux') setPriority(5)

const { document, format } = workerData as { document: ChatDocument; format: 'docx' | 'pdf' }
let told = 0
const write = format === 'docx' ? writeDocx : writePdf
const bytes = await write(document, (share) => {
  if (share - told < 0.02) return
  told = share
  parentPort?.postMessage({ share })
})
parentPort?.postMessage({ bytes })
