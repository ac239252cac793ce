import type { Caller } from '../../../platform/http/serve.ts'
import type { Deps } from '../../../tools/deps.ts'
import type { OpenExport } from '../archive/open-export.ts'
import type { Origin } from './thing-store.ts'

/** An import in progress. */
export type Work = {
  deps: Deps
  importId: string
  origin: Origin
  opened: OpenExport
  user: Caller
  signal: AbortSignal
}

/** The person stopped the import. */
export class Stopped extends Error {}
