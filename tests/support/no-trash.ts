import { writeTrashDays } from '../../src/server/platform/trash/trash.ts'
import type { TestApp } from './app.ts'

/** Switches the trash off, so that a deletion is immediate. */
export async function switchOffTrash({ deps }: { deps: Pick<TestApp['deps'], 'db'> }): Promise<void> {
  await deps.db.transaction().execute((trx) => writeTrashDays(trx, 0))
}
