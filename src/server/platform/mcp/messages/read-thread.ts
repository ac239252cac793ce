import { serveThread } from '../../outbound/foreign/serve-thread.ts'
import { readHere } from './read-messages.ts'

serveThread(readHere)
