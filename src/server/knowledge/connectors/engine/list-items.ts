import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { cleanLabel } from '#shared/platform/labels.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { MEGABYTE } from '../../../platform/limits.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { plainName, tagsOf } from '../../documents/documents.ts'
import { type ConnectorRow, lockConnector } from '../connector-store.ts'
import { firstPage } from '../count-items.ts'
import type { ListedPage, OpenedSource, SourceItem } from '../define-connector.ts'
import { dateOf } from '../requests/item-names.ts'
import { takeTurn } from './host-turns.ts'
import {
  addCounts,
  countMissing,
  forgetUnread,
  joinMoved,
  type ListedItem,
  listGroups,
  replaceMembers,
  writeListed,
} from './item-store.ts'
import { askAboutMissing, noteListed, notePage, noteReading } from './sync-store.ts'

type Db = Kysely<Tables>

/** Attempts to read a page before the sync fails, and the wait before the second. */
const PAGE_TRIES = 4
const PAGE_WAIT_MS = 200
const [MAX_URL, MAX_LABEL, MAX_LABELS, MAX_KEYS] = [2000, 200, 50, 2000]
/** Bytes of a text in an index. An entry of an index has at most 2,704. */
const MAX_INDEXED_BYTES = 2600
/** Bytes of the key of a reader. The index of members has two. */
const MAX_KEY_BYTES = 1000
/** Share of the items that may disappear without a question. */
const MAX_MISSING_SHARE = 0.1

/** The sync was paused, changed or removed meanwhile, or its slice of time is over. */
export class SyncEnded extends Error {}

/**
 * Reads the rest of a listing. Each page is committed with its cursor. At the end moved items are joined, and missing ones counted: more
 * than a tenth stop the sync with a question.
 */
export async function listItems(
  deps: RunDeps,
  row: ConnectorRow,
  source: OpenedSource,
  isLate: () => boolean,
): Promise<void> {
  let { cursor } = row
  let isFirst = cursor === null
  for (;;) {
    const page = await nextPage(row, source, cursor)
    const members = page.cursor === null ? await readMembers(deps, row, source, page.items) : []
    await deps.db.transaction().execute(async (trx) => {
      await holdSync(trx, row, cursor)
      const items = await writeItems(deps, trx, row, page.items)
      await notePage(trx, row.id, { cursor: page.cursor, isFirst, items })
      if (page.cursor !== null) return
      await noteListed(trx, row.id, page.changes ?? null, deps.clock.now())
      await replaceMembers(trx, row.id, members, deps.clock.now())
      await endListing(trx, row, deps.clock.now())
    })
    if (page.cursor === null) return
    cursor = page.cursor
    isFirst = false
    if (isLate()) throw new SyncEnded()
  }
}

/** Locks the connector. @throws SyncEnded when another process or person changed the sync */
export async function holdSync(
  trx: Db,
  { id, sync_number, phase }: ConnectorRow,
  cursor: string | null,
): Promise<void> {
  const now = await lockConnector(trx, id)
  const isSame = now?.sync_number === sync_number && now.phase === phase && now.cursor === cursor
  if (!now || !isSame || now.state !== 'working') throw new SyncEnded()
}

/** Reads the members of all groups of the source, those of a page included. */
export async function readMembers(
  { db }: Pick<RunDeps, 'db'>,
  { id }: ConnectorRow,
  source: OpenedSource,
  items: readonly SourceItem[],
): Promise<{ group_key: string; address: string }[]> {
  if (!source.members) return []
  const given = items.flatMap(({ readers = [] }) => readers.filter((key) => key.startsWith('group:')))
  const groups = [...new Set([...(await listGroups(db, id)), ...given])].filter(isStorableKey).sort()
  const members = await source.members(groups)
  return members.filter(({ group_key, address }) => isStorableKey(group_key) && isStorableKey(address))
}

/** A longer key names no one: its items have fewer readers. */
const isStorableKey = (key: string) => Buffer.byteLength(key) <= MAX_KEY_BYTES

/** Writes the items of a page, and counts renamed and refused ones. Returns their number. */
export async function writeItems(
  deps: Pick<RunDeps, 'config' | 'clock'>,
  trx: Db,
  { id, sync_number }: ConnectorRow,
  given: readonly SourceItem[],
): Promise<number> {
  const items = uniqueItems(given).map((item) => toListed(deps, item))
  await addCounts(trx, id, await writeListed(trx, id, sync_number, items, deps.clock.now()))
  return items.length
}

const nextPage = (
  { host, selection }: ConnectorRow,
  source: OpenedSource,
  cursor: string | null,
): Promise<ListedPage> => tryPage(host, () => firstPage(source, selection, cursor))

/** Reads a page. A source that does not answer is asked again a few times. */
export async function tryPage<T>(host: string | null, read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await takeTurn(host, read)
    } catch (error) {
      const mayPass = error instanceof AppError && error.code === 'unavailable'
      if (!mayPass || tries === PAGE_TRIES) throw error
      await sleep(PAGE_WAIT_MS * 2 ** tries)
    }
  }
}

/** A source that lists an item twice on a page counts once: the last one. */
const uniqueItems = (items: readonly SourceItem[]) => [
  ...new Map(items.map((item) => [idOf(item.id), item])).values(),
]

const shorten = (text: string) => cleanLabel(text).slice(0, MAX_LABEL).toWellFormed()
const isTooLong = (text: string) => Buffer.byteLength(text) > MAX_INDEXED_BYTES

/** Returns a name of the source as an index can store it: one that is too long by its hash. */
export const idOf = (id: string) =>
  isTooLong(id) ? `sha256:${createHash('sha256').update(id).digest('base64url')}` : cleanCharacters(id)

function pathOf(item: SourceItem): string {
  const path = cleanLabel(item.path)
  if (!isTooLong(path)) return path
  return Buffer.from(path)
    .subarray(0, MAX_INDEXED_BYTES)
    .toString()
    .replace(/\ufffd+$/, '')
}

function toListed({ config }: Pick<RunDeps, 'config'>, item: SourceItem): ListedItem {
  const path = pathOf(item)
  const labels = (item.labels ?? []).map((one) => shorten(one).trim()).filter(Boolean)
  const size = item.size !== null && Number.isSafeInteger(item.size) && item.size >= 0 ? item.size : null
  const isLarge = size !== null && size > config.ATRIUM_MAX_UPLOAD_MB * MEGABYTE
  return {
    foreign_id: idOf(item.id),
    ...{ version: idOf(item.version), move_key: item.move_key ? idOf(item.move_key) : null },
    ...{ name: plainName(item.name), path, size },
    url: item.url && URL.canParse(item.url) ? item.url.slice(0, MAX_URL) : null,
    owner: item.owner ? shorten(item.owner) : null,
    labels: [...new Set(labels)].slice(0, MAX_LABELS),
    tags: [...new Set([...tagsOf(path.split('/').slice(0, -1).join('/')), ...labels])].slice(0, MAX_LABELS),
    created_there: dateOf(item.created_at) ?? null,
    changed_there: dateOf(item.changed_at) ?? null,
    readers: [...new Set(item.readers ?? [])].filter(isStorableKey).slice(0, MAX_KEYS),
    refused: isTooLong(item.id) ? 'unreadable' : isLarge ? 'too_large' : size === 0 ? 'empty' : null,
  }
}

/** Ends a listing or changes: joins moved items, and asks when more than a tenth is missing. */
export async function endListing(trx: Db, row: ConnectorRow, now: Date): Promise<void> {
  const { id, listing_number } = row
  await addCounts(trx, id, { moved: await joinMoved(trx, row) })
  await forgetUnread(trx, id, listing_number)
  await noteReading(trx, id)
  const counts = await countMissing(trx, id, listing_number)
  if (counts.missing > counts.stored * MAX_MISSING_SHARE) await askAboutMissing(trx, row, counts, now)
}
