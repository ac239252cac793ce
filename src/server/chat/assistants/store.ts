import { type Kysely, type Selectable, sql } from 'kysely'
import { type AssistantChanges, builtInIds, type NewAssistant } from '#shared/chat/assistants/assistants.ts'
import type { Right } from '#shared/platform/http.ts'
import type { Audit } from '../../identity/audit/audit.ts'
import {
  admit,
  isAssistantRecipient,
  type Judged,
  judge,
  may,
  type Person,
  type Principal,
} from '../../platform/access/access.ts'
import { cleanCharacters, toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import {
  assertNewest,
  type Facts,
  factsFor,
  type ListedFacts,
  listedFactsFor,
  type Share,
  writeShares,
} from './share-store.ts'
import { noteToolVersions } from './tool-version-store.ts'
import { insertVersion, type Save } from './version-store.ts'

type Counts = { document_count: number; tool_count: number | null }
/** An assistant as its reader sees it. */
export type AssistantRow = Selectable<Tables['assistants']> & Counts & Facts
type Long =
  | ('system_prompt' | 'example_prompts' | 'documents' | 'workspaces' | 'tools' | 'tool_versions')
  | 'is_by_others'
export type ListedRow = Omit<Selectable<Tables['assistants']>, Long> & Counts & ListedFacts
/** A page of a list: the cursor row, the limit, and ids to exclude. */
export type Stretch = { after: string | null; limit: number; without: string[] }

const listedColumns = [
  ...(['id', 'user_id', 'name', 'description', 'icon'] as const),
  ...(['agent_type', 'model_name', 'temperature', 'status', 'created_at', 'updated_at'] as const),
] as const

const [documents, tools] = [
  sql<number>`jsonb_array_length(documents)`,
  sql<number | null>`jsonb_array_length(tools)`,
]
const counts = [documents.as('document_count'), tools.as('tool_count')] as const
const counted = sql`${documents} as document_count, ${tools} as tool_count`

/** Returns a user's own assistants, newest first. */
export function listOwn(db: Kysely<Tables>, person: Person, stretch: Stretch): Promise<ListedRow[]> {
  return listedIn(db, person, stretch).where('user_id', '=', person.id).execute()
}

/** Returns assistants shared with the user, newest first. */
export async function listShared(db: Kysely<Tables>, person: Person, stretch: Stretch): Promise<ListedRow[]> {
  return listedIn(db, person, stretch)
    .where(
      sql<boolean>`exists (select from assistant_shares share where share.assistant_id = assistants.id
        and ${isAssistantRecipient(person, sql.ref('assistants.user_id'))} and (assistants.status = 'published' or share.access = 'edit'))`,
    )
    .where('user_id', '!=', person.id)
    .execute()
}

function listedIn(db: Kysely<Tables>, principal: Principal, { after, limit, without }: Stretch) {
  // Compared in the database: JavaScript dates have no microseconds.
  const place = sql`(select created_at, id from assistants where id = ${after})`
  return db
    .selectFrom('assistants')
    .select(listedColumns)
    .select([...counts, ...listedFactsFor(principal, 'assistants')])
    .where(may(principal, 'read assistant'))
    .$if(without.length > 0, (query) => query.where(sql<boolean>`id <> all(${without}::uuid[])`))
    .$if(after !== null, (query) => query.where(sql<boolean>`(created_at, id) < ${place}`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
}

/** Returns the newest published assistants of a user. */
export function findOwnPublished(db: Kysely<Tables>, person: Person, limit: number): Promise<AssistantRow[]> {
  return db
    .selectFrom('assistants')
    .selectAll()
    .select([...counts, ...factsFor(person, 'assistants')])
    .where('user_id', '=', person.id)
    .where('status', '=', 'published')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns those of these assistants that a principal may use, unordered. */
export async function findRows(
  db: Kysely<Tables>,
  principal: Principal,
  ids: string[],
): Promise<AssistantRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('assistants')
    .selectAll()
    .select([...counts, ...factsFor(principal, 'assistants')])
    .where('id', 'in', ids)
    .where(may(principal, 'read assistant'))
    .orderBy('id')
    .execute()
}

/** Returns one assistant. @throws AppError `not_found`, `forbidden` */
export async function findRow(
  db: Kysely<Tables>,
  principal: Principal,
  right: Right,
  id: string,
): Promise<AssistantRow> {
  const { rows } = await sql<Judged<AssistantRow>>`
    select a.*, ${counted}, ${sql.join(factsFor(principal, 'a'))}, ${judge(principal, `${right} assistant`, 'a')}
    from assistants a where id = ${id}`.execute(db)
  return admit(rows[0], `${right} assistant`)
}

/** Reads the row just stored, even if the save ended the principal's access. */
async function readRow(trx: Kysely<Tables>, principal: Principal, id: string): Promise<AssistantRow> {
  const { rows } = await sql<AssistantRow>`
    select a.*, ${counted}, ${sql.join(factsFor(principal, 'a'))} from assistants a where id = ${id}`.execute(
    trx,
  )
  return rows[0]!
}

/** Inserts an assistant. Returns null when its owner already has `most`; concurrent calls are serialised. */
export function insertAssistant(
  db: Kysely<Tables>,
  owner: Person,
  { name, copied_from, ...rest }: NewAssistant,
  shares: Share[] | 'none',
  most: number,
  save: Save,
): Promise<AssistantRow | null> {
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', owner.id).forNoKeyUpdate().execute()
    const own = trx.selectFrom('assistants').where('user_id', '=', owner.id)
    const { count } = await own
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= most) return null
    const isCopied = copied_from !== undefined && (await isCopyOfOthers(trx, owner.id, copied_from))
    const is_by_others = save.isImported === true || isCopied
    const row = await trx
      .insertInto('assistants')
      .values({ user_id: owner.id, name: cleanCharacters(name), is_by_others, ...toColumns(rest) })
      .returningAll()
      .executeTakeFirstOrThrow()
    await insertVersion(trx, row, save)
    await noteToolVersions(trx, row.id, { newest: true })
    await writeShares(trx, { id: row.id, sharedBy: owner.id }, shares)
    await save.audit(trx, { did: 'assistant.created', subject: row.name, subjectId: row.id })
    await save.also?.(trx, row.id)
    return readRow(trx, owner, row.id)
  })
}

/** Stores a change and the resulting version. Omitted `shares` stay. @throws AppError `conflict` */
export function writeAssistant(
  db: Kysely<Tables>,
  principal: Principal,
  id: string,
  changes: AssistantChanges,
  shares: Share[] | 'none' | undefined,
  now: Date,
  save: Save,
): Promise<AssistantRow> {
  return db.transaction().execute(async (trx) => {
    await assertNewest(trx, id, changes.version)
    const row = await trx
      .updateTable('assistants')
      .set({ ...toColumns(changes), updated_at: now })
      .$if(
        words.some((name) => name in changes),
        (query) => query.set({ is_by_others: sql<boolean>`is_by_others or user_id <> ${save.savedBy}` }),
      )
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const parts = await insertVersion(trx, row, save)
    await noteToolVersions(trx, id, { newest: changes.newest_tools === true })
    const shared = shares ? await writeShares(trx, { id, sharedBy: save.savedBy }, shares) : []
    const facts = [...parts.map((what) => ({ what, before: null, after: 'changed' })), ...shared]
    await save.audit(trx, { did: 'assistant.changed', subject: row.name, subjectId: id, changes: facts })
    return readRow(trx, principal, id)
  })
}

/** Deletes an assistant with its tool policies. */
export async function removeAssistant(db: Kysely<Tables>, id: string, audit: Audit): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx.deleteFrom('assistants').where('id', '=', id).returning('name').executeTakeFirst()
    await trx.deleteFrom('tool_policies').where('assistant_id', '=', id).execute()
    if (row) await audit(trx, { did: 'assistant.removed', subject: row.name, subjectId: id })
  })
}

/** The fields of an assistant that a model reads, some of them as a message of the person. */
const words = ['name', 'description', 'system_prompt', 'example_prompts'] as const

/** Returns whether the words of an assistant that this user copies may be by others. Unknown and deleted ones count as theirs. */
async function isCopyOfOthers(trx: Kysely<Tables>, userId: string, copiedFrom: string): Promise<boolean> {
  if (builtInIds.includes(copiedFrom)) return false
  const own = await trx
    .selectFrom('assistants')
    .select('id')
    .where('id', '=', copiedFrom)
    .where('user_id', '=', userId)
    .where('is_by_others', '=', false)
    .executeTakeFirst()
  return own === undefined
}

/** Returns those of these assistants whose words anybody but this user has written, or may write. */
export async function findWrittenByOthers(
  db: Kysely<Tables>,
  userId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{
    id: string
  }>`select id::text from assistants a where a.id::text = any(${ids}::text[])
    and (a.user_id <> ${userId} or a.is_by_others
      or exists (select from assistant_shares s where s.assistant_id = a.id and s.access = 'edit'))
    order by id limit ${ids.length}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

function toColumns({
  shared: _,
  shares: __,
  version: ___,
  newest_tools: ____,
  example_prompts,
  documents,
  workspaces,
  tools,
  ...plain
}: AssistantChanges) {
  const texts = Object.entries(plain).map(([name, value]) => {
    return [name, typeof value === 'string' ? cleanCharacters(value) : value]
  })
  return {
    ...(Object.fromEntries(texts) as typeof plain),
    ...(example_prompts ? { example_prompts: toJson(example_prompts) } : {}),
    ...(documents ? { documents: toJson(documents) } : {}),
    ...(workspaces ? { workspaces: toJson(workspaces) } : {}),
    ...(tools === undefined ? {} : { tools: tools === null ? null : toJson(tools) }),
  }
}

/** Returns the names of documents or workspaces that a principal may read, by id. */
export async function findNames(
  db: Kysely<Tables>,
  principal: Principal,
  thing: 'document' | 'workspace',
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom(thing === 'document' ? 'documents' : 'workspaces')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .where(may(principal, `read ${thing}`))
    .orderBy('id')
    .limit(ids.length)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
