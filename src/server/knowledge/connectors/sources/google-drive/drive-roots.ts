import * as z from 'zod'
import { partOf } from './drive-files.ts'
import type { Drive } from './drive-requests.ts'

/** Path of the folder that Google calls My Drive. */
const MY_DRIVE = 'My Drive'

/** A folder to list. `drive` is the shared drive that it is in. */
export const Place = z.object({
  id: z.string(),
  path: z.string(),
  drive: z.string().nullable(),
  page: z.string().optional(),
  /** Pages of it that are listed. */
  pages: z.int().default(0),
})
export type Place = z.infer<typeof Place>

/** Returns My Drive and the shared drives as folders. */
export async function rootsOf(drive: Drive): Promise<Place[]> {
  const drives = await drive.sharedDrives()
  return [
    { id: await drive.rootId(), path: MY_DRIVE, drive: null, pages: 0 },
    ...drives.map(({ id, name }) => ({ id, path: partOf(name), drive: id, pages: 0 })),
  ]
}
