import { createHash } from 'node:crypto'
import type { Database } from '../../platform/db/db.ts'

/** A page as it was read. */
export type Page = { url: string; title: string; text: string; published: string | null }

const hashOf = (url: string) => createHash('sha256').update(url).digest()

/** Returns pages read after `since`, by URL. */
export async function findPages(
  db: Database,
  urls: readonly string[],
  since: Date,
): Promise<Map<string, Page>> {
  if (urls.length === 0) return new Map()
  const rows = await db
    .selectFrom('web_pages')
    .select(['url', 'title', 'text', 'published'])
    .where('url_hash', 'in', urls.map(hashOf))
    .where('read_at', '>', since)
    .execute()
  return new Map(rows.map((row) => [row.url, row]))
}

export async function keepPage(db: Database, page: Page, read_at: Date): Promise<void> {
  await db
    .insertInto('web_pages')
    .values({ url_hash: hashOf(page.url), ...page, read_at })
    .onConflict((conflict) => conflict.column('url_hash').doUpdateSet({ ...page, read_at }))
    .execute()
}

export async function forgetPages(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('web_pages').where('read_at', '<=', before).execute()
}
