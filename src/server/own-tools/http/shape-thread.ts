import { serveThread } from '../../outbound/foreign/serve-thread.ts'
import { shapeText } from './shape-text.ts'

serveThread(shapeText)
