import { serveThread } from '../../../platform/outbound/foreign/serve-thread.ts'
import { shapeText } from './shape-text.ts'

serveThread(shapeText)
