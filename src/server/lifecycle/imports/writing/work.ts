import type { Caller } from '../../../platform/http/serve.ts'
import type { Deps } from '../../../tools/deps.ts'
import type { OpenExport } from '../archive/open-export.ts'
import { holdState } from '../import-store.ts'
import type { Shelf } from '../readers/foreign.ts'
import type { Origin } from './thing-store.ts'

/** An import in progress. */
export type Work = {
  deps: Deps
  importId: string
  origin: Origin
  opened: OpenExport
  shelf: Shelf
  user: Caller
  signal: AbortSignal
}

/** The person stopped the import. */
export class Stopped extends Error {}

/** The project that something belongs to is not here. */
export class Elsewhere extends Error {}

/** Another job of this import wrote the thing in the meantime. */
export class Repeated extends Error {}

/**
 * Locks the import until the end of the transaction. Every write of an import begins with it, so that an undo sees all of them.
 * @throws Stopped
 */
export async function holdImport({ importId }: Work, trx: Deps['db']): Promise<void> {
  if (!(await holdState(trx, importId, 'importing'))) throw new Stopped()
}
