import { readStorageOf } from '../../../money/storage/storage.ts'
import type { Person } from '../../../platform/access/access.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { maxUpload } from './add.ts'
import { countByStatus, listLanguages } from './count-store.ts'

/** Returns storage, counts and languages of the user's library, and the programs this installation lacks. */
export async function readLibraryState(deps: RunDeps, user: Person) {
  const { used, limit } = await readStorageOf(deps, user.id)
  return {
    storage: { used, limit },
    max_upload: maxUpload(deps),
    counts: await countByStatus(deps.db, user.id),
    languages: await listLanguages(deps.db, user.id),
    missing: deps.parsing.missing(),
  }
}
