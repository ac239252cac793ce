import { listTables, noteWrite } from '../../knowledge/collections/collections.ts'
import type { Platform } from '../../platform/platform.ts'
import { MissingTable } from '../../platform/vectors/vectors.ts'

type Deps = Pick<Platform, 'db' | 'vectors'>

/** Old versions are kept so long, for searches that still read them. */
export const VERSIONS_MS = 3_600_000

/**
 * Removes what the vector store has of a person, and writes what is left anew: a row that is only removed still stands in the file it was
 * written to. Also what they had deleted before goes with it.
 */
export async function eraseVectors(deps: Deps, userId: string): Promise<void> {
  for (const { table_name, spec } of await listTables(deps.db))
    await unlessMissing(async () => {
      await deps.vectors.table(table_name, spec).remove({ column: 'user_id', equals: userId })
    })
  await rewriteVectors(deps)
}

/** Writes anew what the vector store has; what was removed stands in its old versions only. */
export async function rewriteVectors({ db, vectors }: Deps): Promise<void> {
  for (const { id, table_name, spec } of await listTables(db))
    await unlessMissing(async () => {
      await vectors.rewrite(table_name, spec)
      await noteWrite(db, id)
    })
}

/** Removes the files in which it stood. */
export async function forgetVersions({ db, vectors }: Deps, before: Date): Promise<void> {
  for (const { table_name } of await listTables(db))
    await unlessMissing(() => vectors.dropVersions(table_name, before))
}

/** A table that is lost holds nothing of anybody. */
async function unlessMissing(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof MissingTable)) throw error
  }
}
