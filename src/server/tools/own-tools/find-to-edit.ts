import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { findTool, type StoredTool } from './store.ts'

/** Returns the person's tool in its newest version. @throws AppError `not_found`, `forbidden` */
export async function findToEdit(db: Kysely<Tables>, user: Caller, id: string): Promise<StoredTool> {
  await findAllowed(db, user, 'write tool', id)
  const stored = await findTool(db, user, id)
  if (!stored) throw new AppError('not_found', `Tool with ID ${id} not found.`)
  return stored
}
