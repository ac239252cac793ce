import { buffer } from 'node:stream/consumers'
import { AppError } from '#shared/platform/errors.ts'
import type { Reference } from '../../models/models/models.ts'
import type { Person } from '../../platform/access/access.ts'
import { mediaTypeOf } from '../../platform/files/media-types.ts'
import { MEGABYTE } from '../../platform/limits.ts'
import type { Platform } from '../../platform/platform.ts'
import { pictureKind } from './picture-kind.ts'
import { listPictures, type StoredPicture } from './store.ts'

type Deps = Pick<Platform, 'db' | 'config' | 'files'>

/** Returns the documents an image starts from. @throws AppError `not_found`, `too_large` */
export async function findPictures(
  { db, config }: Omit<Deps, 'files'>,
  person: Person,
  ids: string[],
): Promise<StoredPicture[]> {
  const found = await listPictures(db, person, ids)
  if (found.length < new Set(ids).size)
    throw new AppError('not_found', 'A picture to start from no longer exists. Choose other pictures.')
  const megabytes = config.ATRIUM_LIMIT_IMAGE_MB
  if (found.reduce((sum, { size }) => sum + size, 0) > megabytes * MEGABYTE)
    throw new AppError(
      'too_large',
      `The pictures to start from may have ${megabytes} MB together. Choose fewer or smaller ones.`,
    )
  return found
}

/** Returns their bytes in the format of providers. @throws AppError `invalid` if one is not a picture, `not_found` if a file is gone */
export async function readPictures(
  { files }: Pick<Deps, 'files'>,
  found: StoredPicture[],
): Promise<Reference[]> {
  const references: Reference[] = []
  for (const { name, file_key } of found) {
    const bytes = new Uint8Array(await buffer(await files.read(file_key)))
    const kind = pictureKind(bytes)
    if (kind === null)
      throw new AppError('invalid', `“${name}” is not a picture. Use PNG, JPEG or WebP files.`)
    references.push({ name, media_type: mediaTypeOf(kind), bytes })
  }
  return references
}
