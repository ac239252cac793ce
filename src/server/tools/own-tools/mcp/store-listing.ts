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
 * Stores a server's current offer. A tool that appears after the first listing stays off until its owner switches it on. A
 * changed tool asks again, even if it was allowed. A removed one remains as unavailable.
 * @throws AppError `conflict` beyond the maximum tools per person
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

/** Maximum removed prompts or resources shown, most recently removed first. */
const MAX_GONE = 100

/** Returns the current items, then the removed ones, which remain as unavailable. */
function withGone<Item extends object>(
  before: readonly Item[],
  now: readonly Omit<Item, 'is_there'>[],
  nameOf: (item: Omit<Item, 'is_there'>) => string,
): Item[] {
  const names = new Set(now.map(nameOf))
  const gone = before.filter((one) => !names.has(nameOf(one))).slice(0, MAX_GONE)
  const mark = (items: readonly Omit<Item, 'is_there'>[], is_there: boolean) =>
    items.map((one) => ({ ...one, is_there }) as unknown as Item)
  return [...mark(now, true), ...mark(gone, false)]
}

/** Stores a tool's current description. Returns true if it differs; the new version has no permissions. */
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

/** Returns whether a tool's description is unchanged and only an earlier release of Atrium parsed it differently. */
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
