import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import { cleanCharacters } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { ListedTool, Listing } from '../../../platform/mcp/mcp.ts'
import type { Platform } from '../../../platform/platform.ts'
import { assertRoomFor, newToolId } from '../save-tool.ts'
import {
  addVersion,
  insertTool,
  lockOwner,
  rewriteDefinition,
  type ToolWords,
  withdrawLeave,
} from '../store.ts'
import { defineTool, type McpDefinition } from './definition.ts'
import {
  findListing,
  listToolsOf,
  type News,
  type SetTool,
  writeListing,
  writePresence,
} from './mcp-store.ts'
import { withoutTwins } from './without-twins.ts'

type Deps = Pick<Platform, 'config' | 'clock'>
type Trx = Kysely<Tables>
type Whose = { id: string; user_id: string }

/**
 * Stores what a server offers now. What is new after the first time stays off until its owner turns it on; what says something
 * else than before asks again, whoever had given it leave; what is gone stays and is unavailable.
 * @throws AppError `conflict` beyond the most tools one person may have
 */
export async function storeListing(trx: Trx, deps: Deps, set: Whose, listed: Listing): Promise<void> {
  const { listing, twins } = withoutTwins(listed)
  await lockOwner(trx, set.user_id)
  const before = await findListing(trx, set.id)
  const known = new Map((await listToolsOf(trx, set.id)).map((tool) => [tool.key, tool]))
  const offered = listing.tools.filter(({ for_models }) => for_models)
  const fresh = offered.filter(({ name }) => !known.has(name))
  await assertRoomFor(trx, deps, set.user_id, fresh.length)
  const news: News = { ...before?.news }
  for (const tool of fresh) {
    const id = newToolId(tool.name)
    const row = { id, set_id: set.id, user_id: set.user_id, key: tool.name, policy: null, is_on: !before }
    await insertTool(trx, row, wordsOf(tool), { ...defineTool(tool) })
    if (before) news[id] = 'new'
  }
  const again: string[] = []
  for (const tool of offered) {
    const stored = known.get(tool.name)
    if (!stored) continue
    if (!stored.is_there) again.push(stored.id)
    if (await storeChange(trx, stored, tool, deps.clock.now())) news[stored.id] = 'changed'
  }
  const names = new Set(offered.map(({ name }) => name))
  const gone = [...known.values()].filter(({ key, is_there }) => is_there && !names.has(key))
  await writePresence(trx, again, true)
  await writePresence(
    trx,
    gone.map(({ id }) => id),
    false,
  )
  const { server, left: left_out, refused } = listing
  const prompts = withGone(before?.prompts ?? [], listing.prompts, ({ name }) => name)
  const resources = withGone(before?.resources ?? [], listing.resources, ({ uri }) => uri)
  await writeListing(trx, set.id, {
    ...{
      server: { ...server, twins, refused },
      prompts,
      resources,
      left_out,
      news,
      listed_at: deps.clock.now(),
    },
  })
}

/** How many prompts, or resources, are shown that a server no longer has: those that went last. */
const MOST_GONE = 100

/** What there is, then what is gone: it stays as something that is unavailable. */
function withGone<Item extends object>(
  before: readonly Item[],
  now: readonly Omit<Item, 'is_there'>[],
  nameOf: (item: Omit<Item, 'is_there'>) => string,
): Item[] {
  const names = new Set(now.map(nameOf))
  const gone = before.filter((one) => !names.has(nameOf(one))).slice(0, MOST_GONE)
  const mark = (items: readonly Omit<Item, 'is_there'>[], is_there: boolean) =>
    items.map((one) => ({ ...one, is_there }) as unknown as Item)
  return [...mark(now, true), ...mark(gone, false)]
}

/** Stores what a tool says of itself now. True when it differs: that is a new version, and nobody has given leave for it. */
async function storeChange(trx: Trx, stored: SetTool, tool: ListedTool, now: Date): Promise<boolean> {
  const words = wordsOf(tool)
  const definition = defineTool(tool)
  const { name, description, icon } = stored
  if (isDeepStrictEqual([{ name, description, icon }, stored.definition], [words, definition])) return false
  if (isOfEarlierRelease(stored, words, definition)) {
    await rewriteDefinition(trx, stored, { ...definition })
    return false
  }
  await addVersion(trx, stored, words, { ...definition }, now)
  await withdrawLeave(trx, [stored.id])
  return true
}

/** Whether a tool says the same as when it was stored, and only an earlier release of Atrium read it differently. */
function isOfEarlierRelease(stored: SetTool, words: ToolWords, definition: McpDefinition): boolean {
  const { name, description, icon, definition: before } = stored
  if (before.mark !== undefined)
    return before.mark === definition.mark && isDeepStrictEqual({ name, description, icon }, words)
  const now = { ...before, claim: definition.claim, repeats: definition.repeats, mark: definition.mark }
  return isDeepStrictEqual([{ name, description, icon }, now], [words, definition])
}

function wordsOf({ title, name, description }: ListedTool): ToolWords {
  const words = { name: title.trim() || name, description: description.trim() || title || name }
  return {
    name: cleanCharacters(words.name) || name,
    description: cleanCharacters(words.description),
    icon: null,
  }
}
