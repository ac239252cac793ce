import { serveThread } from '../../platform/outbound/foreign/serve-thread.ts'
import { withoutFrames } from './without-frames.ts'

serveThread(withoutFrames)
