import { listTables, noteWrite } from '../../knowledge/collections/collections.ts'
import { forgetPassages } from '../../knowledge/search/search.ts'
import type { Platform } from '../../platform/platform.ts'
import { MissingTable } from '../../platform/vectors/vectors.ts'

type Deps = Pick<Platform, 'db' | 'vectors'>

/** How long old versions stay for active searches. */
export const VERSIONS_MS = 3_600_000

/**
 * Deletes a user's vectors with the notes about them, and rewrites the tables, because a deleted row remains in its data file. This also removes
 * the rows the user deleted earlier.
 */
export async function eraseVectors(deps: Deps, userId: string): Promise<void> {
  for (const { table_name, spec } of await listTables(deps.db))
    await unlessMissing(async () => {
      await deps.vectors.table(table_name, spec).remove({ column: 'user_id', equals: userId })
    })
  await unlessMissing(() => forgetPassages(deps))
  await rewriteVectors(deps)
}

/** Rewrites the vector tables, so that deleted rows remain only in old versions. */
export async function rewriteVectors({ db, vectors }: Deps): Promise<void> {
  for (const { id, table_name, spec } of await listTables(db))
    await unlessMissing(async () => {
      await vectors.rewrite(table_name, spec)
      await noteWrite(db, id)
    })
}

/** Deletes the old versions that contain them. */
export async function forgetVersions({ db, vectors }: Deps, before: Date): Promise<void> {
  for (const { table_name } of await listTables(db))
    await unlessMissing(() => vectors.dropVersions(table_name, before))
}

/** Ignores a missing table, which contains no data. */
async function unlessMissing(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof MissingTable)) throw error
  }
}
