import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../../platform/process/lower-priority.ts'
import type { ChatDocument } from '../chat/chat-document.ts'
import { writeDocx } from './write-docx.ts'
import { writePdf } from './write-pdf.ts'

// Page requests have priority.
lowerPriority(5)

const { document, format } = workerData as { document: ChatDocument; format: 'docx' | 'pdf' }
let told = 0
const write = format === 'docx' ? writeDocx : writePdf
const bytes = await write(document, (share) => {
  if (share - told < 0.02) return
  told = share
  parentPort?.postMessage({ share })
})
parentPort?.postMessage({ bytes })
