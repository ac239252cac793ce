import { maskHere } from './mask-bytes.ts'
import { serveThread } from './serve-thread.ts'

serveThread(maskHere)
