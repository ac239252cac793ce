import { readStorageOf } from '../../../money/storage/storage.ts'
import type { Principal } from '../../../platform/access/access.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { maxUpload } from './add.ts'
import { countByStatus, listLanguages } from './count-store.ts'

/** Returns storage, counts and languages of the library that the user sees, and the programs this installation lacks. */
export async function readLibraryState(deps: RunDeps, user: Principal & { id: string }) {
  const { used, limit } = await readStorageOf(deps, user.id)
  return {
    storage: { used, limit },
    max_upload: maxUpload(deps),
    counts: await countByStatus(deps.db, user),
    languages: await listLanguages(deps.db, user),
    missing: deps.parsing.missing(),
  }
}
