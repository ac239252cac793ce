import { type Insertable, type Kysely, sql } from 'kysely'
import { connectorsReaching, may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type Places = { from: string; to: string }

/** Inserts a project. Returns false when its id exists. */
export async function insertCopy(trx: Db, row: Insertable<Tables['workspaces']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('workspaces')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function findOwner(trx: Db, id: string): Promise<string | null> {
  const row = await trx.selectFrom('workspaces').select('user_id').where('id', '=', id).executeTakeFirst()
  return row?.user_id ?? null
}

/** Copies the newest instructions as version 1. If others wrote any version, the newest of those authors is named. */
export async function copyInstructions(trx: Db, person: Person, { from, to }: Places): Promise<void> {
  await sql`
    insert into instruction_versions (workspace_id, version, text, saved_by)
    select ${to}, 1, newest.text, (select v.saved_by from instruction_versions v where v.workspace_id = ${from}
      order by v.saved_by is distinct from ${person.id}::uuid desc, v.version desc limit 1)
    from instruction_versions newest join workspaces w on w.id = newest.workspace_id
    where w.id = ${from} and newest.version = w.instructions_version and newest.text <> ''`.execute(trx)
  await sql`
    update workspaces set instructions = v.text, instructions_version = 1
    from instruction_versions v where v.workspace_id = workspaces.id and workspaces.id = ${to}`.execute(trx)
}

/**
 * Puts the documents that the person may read into the copy, and the connectors that reach the person, whose documents follow them. Members
 * of the copy read those that the person owns.
 */
export async function copyDocuments(trx: Db, person: Person, { from, to }: Places): Promise<void> {
  await sql`
    insert into workspace_documents (workspace_id, document_id, added_by)
    select ${to}, d.id, ${person.id} from workspace_documents placed join documents d on d.id = placed.document_id
    where placed.workspace_id = ${from} and placed.connector_id is null and ${may(person, 'read document', 'd')}
    on conflict do nothing`.execute(trx)
  await sql`
    insert into workspace_connectors (workspace_id, connector_id, added_by)
    select ${to}, connector_id, ${person.id} from workspace_connectors
    where workspace_id = ${from} and connector_id in (${connectorsReaching(person)}) order by connector_id`.execute(
    trx,
  )
}

/** Copies the facts that are in use, with the people who told them. */
export async function copyFacts(trx: Db, person: Person, { from, to }: Places): Promise<void> {
  await sql`
    with copied as materialized (
      select f.*, gen_random_uuid() as copy_id from facts f
      where f.workspace_id = ${from} and f.state = 'kept' and ${may(person, 'read fact', 'f')}
    ), made as (
      insert into facts (id, user_id, workspace_id, text, words, origin, learned_at, embedding, embedding_model)
      select copy_id, user_id, ${to}, text, words, origin, learned_at, embedding, embedding_model from copied
    )
    insert into fact_sources (fact_id, kind, source_id, class_id)
    select c.copy_id, s.kind, s.source_id, s.class_id from copied c join fact_sources s on s.fact_id = c.id`.execute(
    trx,
  )
}

type Copied = { id: string; active_leaf: string; copy_id: string }

/** Returns the newest chats of a project that a person may read, with the id of each copy. */
export async function listCopied(
  db: Db,
  person: Person,
  { from, to }: Places,
  limit: number,
): Promise<Copied[]> {
  const { rows } = await sql<Copied>`
    select s.id, s.active_leaf, md5(${to}::text || s.id)::uuid as copy_id from sessions s
    where s.workspace_id = ${from} and s.origin = 'chat' and s.active_leaf is not null
      and ${may(person, 'read session', 's')}
    order by s.updated_at desc, s.id limit ${limit}`.execute(db)
  return rows
}

/** Puts a copied chat into the copy of its project. */
export async function placeCopy(db: Db, userId: string, chatId: string, projectId: string): Promise<void> {
  await sql`
    update sessions set workspace_id = ${projectId} where id = ${chatId} and user_id = ${userId}
      and workspace_id is null and exists (select from workspaces where id = ${projectId})`.execute(db)
}
