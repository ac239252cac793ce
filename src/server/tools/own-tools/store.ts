import { type Kysely, sql } from 'kysely'
import type { ModuleUi } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import type { ServerNews } from '#shared/tools/tools/server-claim.ts'
import { isToolRecipient, may, type Person } from '../../platform/access/access.ts'
import { cleanCharacters, toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type SetKind = Tables['own_tool_sets']['kind']
export type Policy = Tables['own_tools']['policy']

/** A tool in one version, with the settings of its set. */
export type StoredTool = {
  id: string
  set_id: string
  user_id: string
  kind: SetKind
  key: string
  policy: Policy
  is_there: boolean
  is_on: boolean
  version: number
  name: string
  description: string
  icon: string | null
  definition: Record<string, unknown>
  connection: Record<string, unknown>
  /** An interface given to it; null if it has none, or brings its own. */
  ui: ModuleUi | null
  /** The companies its set is shared with, or whose groups and people it is shared with. */
  companies: string[]
  /** Name of the person who shared it with the reader; null for an own tool, absent without a reader. */
  shared_by?: string | null
  /** Why a tool of an MCP server waits for a new decision; null if it does not. */
  news: ServerNews | null
}

/** The texts of a version. */
export type ToolWords = { name: string; description: string; icon: string | null }

/** Selects the companies a set is shared with, directly or through their groups and people. */
const companiesReached = (setId: string) => sql<string[]>`array(
  select distinct coalesce(share.company_id, share.within, named.company_id)
  from own_tool_shares share left join groups named on named.id = share.group_id
  where share.set_id = ${sql.ref(setId)} and coalesce(share.company_id, share.within, named.company_id) is not null
  order by 1)`

/** Returns the companies a set is shared with, directly or through their groups and people. */
export async function findCompaniesReached(db: Db, setId: string): Promise<string[]> {
  const row = await db
    .selectFrom('own_tool_sets')
    .select(companiesReached('own_tool_sets.id').as('companies'))
    .where('id', '=', setId)
    .executeTakeFirst()
  return row?.companies ?? []
}

/** Selects who shared a set with a person, by name; null for their own sets. */
export const sharerFor = (person: Person, set: { id: string; userId: string }) => sql<string | null>`case
  when ${sql.ref(set.userId)} <> ${person.id} then (
    select coalesce(nullif(trim(sharer.full_name), ''), sharer.username) from own_tool_shares share
    join users sharer on sharer.id = coalesce(share.shared_by, ${sql.ref(set.userId)})
    where share.set_id = ${sql.ref(set.id)} and ${isToolRecipient(person, sql.ref(set.userId))}
    order by share.created_at, share.id limit 1) end`

const sharerOfTool = (person: Person) => sharerFor(person, { id: 't.set_id', userId: 't.user_id' })

function selectTools(db: Db) {
  return db
    .selectFrom('own_tools as t')
    .innerJoin('own_tool_sets as s', 's.id', 't.set_id')
    .innerJoin('own_tool_versions as v', 'v.tool_id', 't.id')
    .leftJoin('own_tool_interfaces as i', 'i.tool_id', 't.id')
    .select('i.ui')
    .select([
      companiesReached('t.set_id').as('companies'),
      sql<ServerNews | null>`(select listing.news ->> t.id from mcp_listings listing
        where listing.set_id = t.set_id)`.as('news'),
    ])
    .select(['t.id', 't.set_id', 't.user_id', 's.kind', 't.key', 't.policy', 't.is_there', 't.is_on'])
    .select(['v.version', 'v.name', 'v.description', 'v.icon', 'v.definition', 's.connection'])
}

/** Returns the enabled tools a person may use in their newest version: own ones newest first, then shared ones. */
export function listTools(db: Db, person: Person, limit: number): Promise<StoredTool[]> {
  return selectTools(db)
    .select(sharerOfTool(person).as('shared_by'))
    .whereRef('v.version', '=', 't.version')
    .where('t.is_there', '=', true)
    .where('t.is_on', '=', true)
    .where(may(person, 'read tool', 't'))
    .orderBy(sql`(t.user_id = ${person.id})`, 'desc')
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id')
    .limit(limit)
    .execute()
}

/** Returns a tool a person may use, in the given version or the newest. */
export function findTool(
  db: Db,
  person: Person,
  id: string,
  version?: number,
): Promise<StoredTool | undefined> {
  return selectTools(db)
    .select(sharerOfTool(person).as('shared_by'))
    .where('t.id', '=', id)
    .$if(version === undefined, (query) => query.whereRef('v.version', '=', 't.version'))
    .$if(version !== undefined, (query) => query.where('v.version', '=', version ?? 0))
    .where(may(person, 'read tool', 't'))
    .executeTakeFirst()
}

/** Returns a person's API calls in their newest version, oldest first: the given ones, or all. */
export function listOwn(
  db: Db,
  userId: string,
  ids: string[] | undefined,
  limit: number,
): Promise<(StoredTool & { set_name: string })[]> {
  return selectTools(db)
    .select('s.name as set_name')
    .whereRef('v.version', '=', 't.version')
    .where('t.user_id', '=', userId)
    .where('s.kind', '=', 'api')
    .$if(ids !== undefined, (query) => query.where('t.id', '=', sql<string>`any(${ids})`))
    .orderBy('t.created_at')
    .orderBy('t.id')
    .limit(limit)
    .execute()
}

/** Returns versions of a tool before a given one, newest first. */
export function listVersions(db: Db, id: string, before: number, limit: number) {
  return db
    .selectFrom('own_tool_versions')
    .select(['version', 'name', 'description', 'icon', 'definition', 'created_at'])
    .where('tool_id', '=', id)
    .where('version', '<', before)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()
}

export async function countTools(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('own_tools')
    .where('user_id', '=', userId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Serializes the creation of tools for one person. */
export async function lockOwner(trx: Db, userId: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

/** Returns a set without checking access. */
export function findSetRow(db: Db, id: string) {
  return db
    .selectFrom('own_tool_sets')
    .select(['id', 'user_id', 'kind', 'name', 'connection'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function isToolOf(db: Db, setId: string, toolId: string): Promise<boolean> {
  const row = await db
    .selectFrom('own_tools')
    .select('id')
    .where('id', '=', toolId)
    .where('set_id', '=', setId)
    .executeTakeFirst()
  return row !== undefined
}

type NewSet = { user_id: string; kind: SetKind; name: string; connection: Record<string, unknown> }

export async function insertSet(trx: Db, { connection, name, ...set }: NewSet): Promise<string> {
  const row = await trx
    .insertInto('own_tool_sets')
    .values({ ...set, name: cleanCharacters(name), connection: toJson(connection) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function writeSet(
  trx: Db,
  id: string,
  { name, connection }: { name?: string | undefined; connection?: Record<string, unknown> | undefined },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('own_tool_sets')
    .set({
      ...(name !== undefined && { name: cleanCharacters(name) }),
      ...(connection && { connection: toJson(connection) }),
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

type NewRow = { id: string; set_id: string; user_id: string; key: string; policy: Policy; is_on?: boolean }

/** Inserts a tool in its first version. */
export async function insertTool(
  trx: Db,
  row: NewRow,
  words: ToolWords,
  definition: Record<string, unknown>,
): Promise<void> {
  await trx.insertInto('own_tools').values(row).execute()
  await insertVersion(trx, row.id, 1, words, definition)
}

/**
 * Adds the next version of a tool, which becomes the newest. Its owner's permission carries over, because the change is
 * their own or they are asked to accept it.
 */
export async function addVersion(
  trx: Db,
  { id, user_id }: { id: string; user_id: string },
  words: ToolWords,
  definition: Record<string, unknown>,
  now: Date,
): Promise<number> {
  const { version } = await trx
    .updateTable('own_tools')
    .set((row) => ({ version: row('version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow()
  await insertVersion(trx, id, version, words, definition)
  await trx
    .updateTable('tool_policies')
    .set({ tool_version: version })
    .where('tool_id', '=', id)
    .where('user_id', '=', user_id)
    .where('tool_version', '=', version - 1)
    .execute()
  return version
}

async function insertVersion(
  trx: Db,
  tool_id: string,
  version: number,
  { name, description, icon }: ToolWords,
  definition: Record<string, unknown>,
): Promise<void> {
  const words = { name: cleanCharacters(name), description: cleanCharacters(description), icon }
  await trx
    .insertInto('own_tool_versions')
    .values({ tool_id, version, ...words, definition: toJson(definition) })
    .execute()
}

/** Sets the default policy of a tool unless someone has decided. */
export async function writePolicy(trx: Db, id: string, policy: Policy): Promise<void> {
  await trx.updateTable('own_tools').set({ policy }).where('id', '=', id).execute()
}

/** Replaces a definition with the same one in the current format. */
export async function rewriteDefinition(
  trx: Db,
  { id, version }: { id: string; version: number },
  definition: Record<string, unknown>,
): Promise<void> {
  await trx
    .updateTable('own_tool_versions')
    .set({ definition: toJson(definition) })
    .where('tool_id', '=', id)
    .where('version', '=', version)
    .execute()
}

/** Withdraws everyone's permission of tools, so that each call asks again. */
export async function withdrawLeave(trx: Db, toolIds: readonly string[]): Promise<void> {
  if (toolIds.length === 0) return
  await trx.deleteFrom('tool_policies').where('tool_id', 'in', toolIds).where('policy', '=', 'auto').execute()
  await trx
    .updateTable('own_tools')
    .set({ policy: 'ask' })
    .where('id', 'in', toolIds)
    .where('policy', '=', 'auto')
    .execute()
}

/** Switches a tool on or off. */
export async function writeSwitch(trx: Db, id: string, is_on: boolean): Promise<void> {
  await trx.updateTable('own_tools').set({ is_on }).where('id', '=', id).execute()
}

/** Deletes a tool with the decisions about it, and its set with its last tool. */
export async function removeTool(trx: Db, { id, set_id }: { id: string; set_id: string }): Promise<void> {
  await trx.deleteFrom('own_tools').where('id', '=', id).execute()
  await trx.deleteFrom('tool_policies').where('tool_id', '=', id).execute()
  await trx
    .deleteFrom('own_tool_sets')
    .where('id', '=', set_id)
    .where((row) =>
      row.not(row.exists(row.selectFrom('own_tools').select('id').where('set_id', '=', set_id))),
    )
    .execute()
}

/** Returns the sealed secrets of a set. */
export function findSecrets(db: Db, setId: string) {
  return db
    .selectFrom('own_tool_secrets')
    .select(['name', 'sealed', 'updated_at'])
    .where('set_id', '=', setId)
    .orderBy('name')
    .limit(100)
    .execute()
}

/** Replaces sealed secrets by name. */
export async function writeSecrets(trx: Db, setId: string, sealed: Record<string, string>): Promise<void> {
  const rows = Object.entries(sealed).map(([name, value]) => ({ set_id: setId, name, sealed: value }))
  if (rows.length === 0) return
  const updated_at = new Date()
  await trx
    .insertInto('own_tool_secrets')
    .values(rows.map((row) => ({ ...row, updated_at })))
    .onConflict((conflict) =>
      conflict
        .columns(['set_id', 'name'])
        .doUpdateSet((row) => ({ sealed: row.ref('excluded.sealed'), updated_at })),
    )
    .execute()
}

/** Deletes the secrets of a set that are not listed. */
export async function keepSecrets(trx: Db, setId: string, names: readonly string[]): Promise<void> {
  const stored = trx.deleteFrom('own_tool_secrets').where('set_id', '=', setId)
  await (names.length > 0 ? stored.where('name', 'not in', names) : stored).execute()
}

/** Returns the ids of the companies a set is shared with. */
export async function listShares(db: Db, setId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('own_tool_shares')
    .select('company_id')
    .where('set_id', '=', setId)
    .where('company_id', 'is not', null)
    .$narrowType<{ company_id: string }>()
    .orderBy('company_id')
    .limit(1_000)
    .execute()
  return rows.map(({ company_id }) => company_id)
}

/** Replaces the companies a set is shared with. Its other shares stay, and unchanged ones keep their author. */
export async function writeShares(
  trx: Db,
  { setId, sharedBy }: { setId: string; sharedBy: string },
  companies: readonly string[],
): Promise<void> {
  await sql`delete from own_tool_shares where set_id = ${setId} and company_id is not null
    and company_id <> all(${[...companies]}::uuid[])`.execute(trx)
  const rows = companies.map((company_id) => ({ set_id: setId, company_id, shared_by: sharedBy }))
  if (rows.length === 0) return
  await trx
    .insertInto('own_tool_shares')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['set_id', 'company_id']).doNothing())
    .execute()
}

/** Returns the name of a set and its number of tools. */
export async function countOfSet(db: Db, id: string): Promise<{ name: string; tools: number }> {
  const { name, count } = await db
    .selectFrom('own_tool_sets as s')
    .select('s.name')
    .select((row) =>
      row
        .selectFrom('own_tools as t')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('t.set_id', '=', 's.id')
        .as('count'),
    )
    .where('s.id', '=', id)
    .executeTakeFirstOrThrow()
  return { name, tools: Number(count) }
}
/** Returns the tools of a set in their newest version, oldest first. */
export function listOfSet(db: Db, setId: string): Promise<StoredTool[]> {
  return selectTools(db)
    .whereRef('v.version', '=', 't.version')
    .where('t.set_id', '=', setId)
    .orderBy('t.created_at')
    .orderBy('t.id')
    .limit(1_000)
    .execute()
}
