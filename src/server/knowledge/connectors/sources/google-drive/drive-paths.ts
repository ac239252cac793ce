import { ItemRefused } from '../../define-connector.ts'
import { DriveFile, partOf } from './drive-files.ts'
import type { Drive } from './drive-requests.ts'
import { rootsOf } from './drive-roots.ts'

const MAX_DEPTH = 50

/** Returns a function that finds the path of the folder of a file; null for one outside of the drives. Each folder is asked for once. */
export function createPaths(drive: Drive): (file: Pick<DriveFile, 'parents'>) => Promise<string | null> {
  const known = new Map<string, Promise<string | null>>()
  let hasRoots = false
  const pathOf = (id: string, below: readonly string[]): Promise<string | null> => {
    // Folders that contain each other would wait for each other.
    if (below.includes(id) || below.length >= MAX_DEPTH) return Promise.resolve(null)
    const found = known.get(id) ?? find(id, below)
    known.set(id, found)
    return found
  }
  const find = async (id: string, below: readonly string[]): Promise<string | null> => {
    const folder = await findFolder(drive, id)
    const parent = folder?.parents[0]
    if (!folder || folder.trashed || parent === undefined) return null
    const above = await pathOf(parent, [...below, id])
    return above === null ? null : `${above}/${partOf(folder.name)}`
  }
  return async ({ parents: [parent] }) => {
    if (!hasRoots) for (const { id, path } of await rootsOf(drive)) known.set(id, Promise.resolve(path))
    hasRoots = true
    return parent === undefined ? null : pathOf(parent, [])
  }
}

async function findFolder(drive: Drive, id: string): Promise<DriveFile | null> {
  try {
    const parameters = { supportsAllDrives: 'true', fields: 'id,name,mimeType,parents,trashed' }
    return await drive.ask(`/files/${encodeURIComponent(id)}`, parameters, DriveFile)
  } catch (error) {
    if (error instanceof ItemRefused) return null
    throw error
  }
}
