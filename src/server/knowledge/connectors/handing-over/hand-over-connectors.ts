import type { Kysely } from 'kysely'
import { type Audit, changed } from '../../../identity/audit/audit.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { giveConnectors, readAgain } from './hand-over-store.ts'

/**
 * Keeps the company connectors of an account that is being deleted: another administrator of the company gets each, and it reads its
 * items again for them. `heirId` is preferred. A connector of a company without another administrator stays with its owner.
 */
export async function handOverConnectors(
  trx: Kysely<Tables>,
  { id, name }: { id: string; name: string },
  heirId: string | null,
  audit: Audit,
): Promise<void> {
  const given = await giveConnectors(trx, id, heirId)
  if (given.length === 0) return
  const ids = given.map((one) => one.id)
  await readAgain(trx, ids)
  for (const connector of given)
    await audit(trx, {
      ...{ did: 'connector.changed', subject: connector.name, subjectId: connector.id },
      changes: changed('owner', name, connector.heir),
    })
}
