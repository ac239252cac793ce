import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { assetAddress, getMedia, type MediaReference } from '#shared/tools/media/media.ts'
import { takeStorage } from '../../money/storage/storage.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { mediaTypeOf } from '../../platform/files/media-types.ts'
import { sendFile } from '../../platform/files/send-file.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { deleteNamed, insertMedia } from './store.ts'

export { listMedia } from './store.ts'

/** Serves files made by tools. */
export function serveMedia(server: Server, deps: Pick<Platform, 'db' | 'files'>): void {
  serve(server, getMedia, {
    handle: async ({ params, query, user, request, reply }) => {
      const { file_key, name } = await findAllowed(deps.db, user, 'read media', params.mediaId)
      const isOriginal = query.download !== undefined
      await sendFile(deps, request, reply, {
        ...{ key: file_key, name, isOriginal },
        kind: extensionOf(name),
      })
      // The file is the answer.
      return undefined as never
    },
  })
}

export type MadeFile = { name: string; size: number; open: () => Readable }

/**
 * Stores files made by a run under new ids. Bytes are written first; files without a row are swept later.
 * @throws AppError `quota_exceeded`, `storage_full`
 */
export async function keepMedia(
  { db, config, files }: Pick<Platform, 'db' | 'config' | 'files'>,
  { userId, runId }: { userId: string; runId: string },
  made: MadeFile[],
): Promise<MediaReference[]> {
  const kept = made.map(({ name, size }) => {
    const id = randomUUID()
    const media_type = mediaTypeOf(extensionOf(name))
    return { id, user_id: userId, run_id: runId, name, media_type, size, file_key: `media/${id}/file` }
  })
  for (const [index, { file_key }] of kept.entries())
    await files.write(file_key, (made[index] as MadeFile).open())
  await db.transaction().execute(async (trx) => {
    await takeStorage(
      { db: trx, config },
      userId,
      made.reduce((sum, { size }) => sum + size, 0),
    )
    await insertMedia(trx, kept)
  })
  return kept.map(describe)
}

/** Deletes a run's files whose names have this prefix, such as previews. */
export async function dropMedia(
  { db, files }: Pick<Platform, 'db' | 'files'>,
  { runId, nameStart }: { runId: string; nameStart: string },
): Promise<void> {
  const keys = await deleteNamed(db, runId, nameStart)
  for (const key of keys) await files.remove(key)
}

function describe(media: { id: string; name: string; media_type: string; size: number }): MediaReference {
  const { id, name, media_type, size } = media
  const base = (name.split('/').at(-1) || name).slice(0, 100)
  const url = assetAddress(id, base)
  return {
    ...{ type: 'media_reference', id, name: base, asset_filename: name },
    ...{ media_type, size, url, download_url: `${url}?download=true` },
  }
}
