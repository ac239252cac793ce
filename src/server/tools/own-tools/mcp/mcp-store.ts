import { type Kysely, sql } from 'kysely'
import type { ServerFacts, ServerPrompt, ServerResource } from '#shared/tools/own-tools/mcp-servers.ts'
import type { ServerNews } from '#shared/tools/tools/server-claim.ts'
import { may, type Person } from '../../../platform/access/access.ts'
import { cleanCharacters, toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { sharerFor } from '../store.ts'
import { McpConnection, McpDefinition } from './definition.ts'

type Db = Kysely<Tables>

/** A set that is an MCP server. */
export type ServerSet = {
  id: string
  user_id: string
  name: string
  connection: McpConnection
  created_at: Date
}

export async function findSet(db: Db, id: string): Promise<ServerSet | undefined> {
  const row = await db
    .selectFrom('own_tool_sets')
    .select(['id', 'user_id', 'name', 'connection', 'created_at'])
    .where('id', '=', id)
    .where('kind', '=', 'mcp')
    .executeTakeFirst()
  return row && { ...row, connection: McpConnection.parse(row.connection) }
}

/** Returns who shared a set with a person, by name; null for their own set. */
export async function findSharer(db: Db, person: Person, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('own_tool_sets as s')
    .select(sharerFor(person, { id: 's.id', userId: 's.user_id' }).as('shared_by'))
    .where('s.id', '=', id)
    .executeTakeFirst()
  return row?.shared_by ?? null
}

export type ListedSet = ServerSet & {
  listed_at: Date | null
  error: string | null
  tools: number
  shared_by: string | null
}

/** Returns the servers whose tools a person may use, newest first. */
export async function listSets(db: Db, person: Person, limit: number): Promise<ListedSet[]> {
  const rows = await db
    .selectFrom('own_tool_sets as s')
    .leftJoin('mcp_listings as l', 'l.set_id', 's.id')
    .select(['s.id', 's.user_id', 's.name', 's.connection', 's.created_at', 'l.listed_at', 'l.error'])
    .select(sharerFor(person, { id: 's.id', userId: 's.user_id' }).as('shared_by'))
    .select((row) =>
      row
        .selectFrom('own_tools as t')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('t.set_id', '=', 's.id')
        .where('t.is_there', '=', true)
        .as('tools'),
    )
    .where('s.kind', '=', 'mcp')
    .where(may(person, 'read tool-set', 's'))
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ...{ ...row, connection: McpConnection.parse(row.connection), tools: Number(row.tools) },
  }))
}

/** New and changed tools, by id. */
export type News = Record<string, ServerNews>

export type StoredListing = {
  server: ServerFacts
  prompts: ServerPrompt[]
  resources: ServerResource[]
  left_out: number
  news: News
  listed_at: Date
  error: string | null
}

export async function findListing(db: Db, setId: string): Promise<StoredListing | undefined> {
  const row = await db
    .selectFrom('mcp_listings')
    .select(['server', 'prompts', 'resources', 'left_out', 'news', 'listed_at', 'error'])
    .where('set_id', '=', setId)
    .executeTakeFirst()
  return row as StoredListing | undefined
}

export async function writeListing(
  trx: Db,
  setId: string,
  { server, prompts, resources, left_out, news, listed_at }: Omit<StoredListing, 'error'>,
): Promise<void> {
  const row = {
    ...{ server: toJson(server), prompts: toJson(prompts), resources: toJson(resources) },
    ...{ left_out, news: toJson(news), listed_at, error: null },
  }
  await trx
    .insertInto('mcp_listings')
    .values({ set_id: setId, ...row })
    .onConflict((conflict) => conflict.column('set_id').doUpdateSet(row))
    .execute()
}

/** Clears the new or changed mark of tools, because their owner has decided about them. */
export async function forgetNews(trx: Db, setId: string, toolIds: readonly string[]): Promise<void> {
  await trx
    .updateTable('mcp_listings')
    .set({ news: sql`news - ${[...toolIds]}::text[]` })
    .where('set_id', '=', setId)
    .execute()
}

/** Marks tools as waiting for a decision. New tools stay new. */
export async function addNews(
  trx: Db,
  setId: string,
  toolIds: readonly string[],
  news: ServerNews,
): Promise<void> {
  const added = toJson(Object.fromEntries(toolIds.map((id) => [id, news])))
  await trx
    .updateTable('mcp_listings')
    .set({
      news: sql`${added}::jsonb || coalesce((select jsonb_object_agg(key, value)
        from jsonb_each(news) where value = '"new"'), '{}')`,
    })
    .where('set_id', '=', setId)
    .execute()
}

/** Stores why a server did not answer. */
export async function writeFailure(db: Db, setId: string, error: string): Promise<void> {
  await db
    .updateTable('mcp_listings')
    .set({ error: cleanCharacters(error) })
    .where('set_id', '=', setId)
    .execute()
}

export type SetTool = {
  id: string
  user_id: string
  key: string
  policy: Tables['own_tools']['policy']
  is_there: boolean
  is_on: boolean
  version: number
  name: string
  description: string
  icon: string | null
  definition: McpDefinition
}

/** Returns a server's tools in their newest versions, including removed ones; an empty list if the set is not a server. */
export async function listToolsOf(db: Db, setId: string): Promise<SetTool[]> {
  const rows = await db
    .selectFrom('own_tools as t')
    .innerJoin('own_tool_versions as v', (join) =>
      join.onRef('v.tool_id', '=', 't.id').onRef('v.version', '=', 't.version'),
    )
    .select(['t.id', 't.user_id', 't.key', 't.policy', 't.is_there', 't.is_on', 't.version'])
    .select(['v.name', 'v.description', 'v.icon', 'v.definition'])
    .innerJoin('own_tool_sets as s', 's.id', 't.set_id')
    .where('s.kind', '=', 'mcp')
    .where('t.set_id', '=', setId)
    .orderBy('t.created_at')
    .orderBy('t.id')
    .limit(1_000)
    .execute()
  return rows.map((row) => ({ ...row, definition: McpDefinition.parse(row.definition) }))
}

export async function writePresence(trx: Db, ids: readonly string[], isThere: boolean): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('own_tools')
    .set({ is_there: isThere, updated_at: new Date() })
    .where('id', 'in', ids)
    .execute()
}

/** Returns which of these calls have ended. */
export async function listEnded(db: Db, executionIds: readonly string[]): Promise<string[]> {
  if (executionIds.length === 0) return []
  const rows = await db
    .selectFrom('tool_executions')
    .select('id')
    .where('id', 'in', executionIds)
    .where('finished_at', 'is not', null)
    .orderBy('id')
    .limit(executionIds.length)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes a set with its tools and the decisions about them. */
export async function removeSet(trx: Db, setId: string): Promise<string> {
  await trx
    .deleteFrom('tool_policies')
    .where('tool_id', 'in', (row) => row.selectFrom('own_tools').select('id').where('set_id', '=', setId))
    .execute()
  const gone = trx.deleteFrom('own_tool_sets').where('id', '=', setId).returning('name')
  return (await gone.executeTakeFirst())?.name ?? ''
}
