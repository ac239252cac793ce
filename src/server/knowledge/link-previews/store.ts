import { createHash } from 'node:crypto'
import type { LinkPreview } from '#shared/knowledge/link-previews/link-previews.ts'
import type { Database } from '../../platform/db/db.ts'

/** A preview, with the address of the page's picture. */
export type KeptPreview = { preview: Omit<LinkPreview, 'fetched'>; image_url: string | null }
/** A fetched picture; null when there is none that can be shown. */
export type KeptPicture = { media_type: string | null; content: Buffer | null }

const hashOf = (url: string) => createHash('sha256').update(url).digest()

/** Returns a preview read after `since`. */
export async function findPreview(db: Database, url: string, since: Date): Promise<KeptPreview | undefined> {
  return db
    .selectFrom('link_previews')
    .select(['preview', 'image_url'])
    .where('url_hash', '=', hashOf(url))
    .where('read_at', '>', since)
    .executeTakeFirst()
}

export async function keepPreview(
  db: Database,
  url: string,
  kept: KeptPreview,
  read_at: Date,
): Promise<void> {
  const values = { preview: JSON.stringify(kept.preview), image_url: kept.image_url, read_at }
  await db
    .insertInto('link_previews')
    .values({ url_hash: hashOf(url), url, host: new URL(url).host, ...values })
    .onConflict((conflict) => conflict.column('url_hash').doUpdateSet(values))
    .execute()
}

/** Tells whether a page of a host was read after `since`. */
export async function isReadHost(db: Database, host: string, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('link_previews')
    .select('host')
    .where('host', '=', host)
    .where('read_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns a picture fetched after `since`. */
export async function findPicture(db: Database, url: string, since: Date): Promise<KeptPicture | undefined> {
  return db
    .selectFrom('link_pictures')
    .select(['media_type', 'content'])
    .where('url_hash', '=', hashOf(url))
    .where('read_at', '>', since)
    .executeTakeFirst()
}

export async function keepPicture(
  db: Database,
  url: string,
  kept: KeptPicture,
  read_at: Date,
): Promise<void> {
  await db
    .insertInto('link_pictures')
    .values({ url_hash: hashOf(url), ...kept, read_at })
    .onConflict((conflict) => conflict.column('url_hash').doUpdateSet({ ...kept, read_at }))
    .execute()
}

/** Deletes previews and pictures read before `before`. */
export async function forgetLinks(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('link_previews').where('read_at', '<=', before).execute()
  await db.deleteFrom('link_pictures').where('read_at', '<=', before).execute()
}
