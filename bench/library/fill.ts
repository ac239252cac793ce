import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../src/server/platform/db/tables.ts'
import { aCompany, aUser, type TestUser } from '../../tests/support/builders.ts'

type App = Parameters<typeof aUser>[0] & { deps: { db: Kysely<Tables> } }

export type Library = {
  /** Owns three in five of the documents and may read all of them. */
  owner: TestUser
  /** Owns none, and reads shared documents. */
  colleague: TestUser
  workspaceId: string
  sessionId: string
}

/**
 * Creates a library with this many documents readable by its owner: their own, and those shared by four people in the
 * owner's two companies. Half as many again belong to strangers and to another company.
 */
export async function fillLibrary(app: App, count: number): Promise<Library> {
  const { db } = app.deps
  const [first, second, other] = [
    await aCompany(app),
    await aCompany(app, 'Atlas'),
    await aCompany(app, 'Nord'),
  ]
  const owner = await aUser(app, { role: 'member', companyId: first })
  await db
    .insertInto('company_members')
    .values({ company_id: second, user_id: owner.id, role: 'member' })
    .execute()
  const colleague = await aUser(app, { role: 'member', companyId: first })
  const share = async (documents: number, companyId: string | null, shared: number) => {
    const { id } = await aUser(app, companyId ? { role: 'member', companyId } : {})
    await insertDocuments(db, { userId: id, companyId, documents, shared })
  }
  await insertDocuments(db, { userId: owner.id, companyId: first, documents: count * 0.6, shared: 0.3 })
  for (const companyId of [first, first, second, second]) await share(count / 10, companyId, 1)
  await share(count * 0.3, other, 1)
  await share(count * 0.2, null, 0)
  const { workspaceId, sessionId } = await placeDocuments(db, owner.id)
  await sql`vacuum analyze documents, readings, workspace_documents, session_documents, workspaces`.execute(
    db,
  )
  return { owner, colleague, workspaceId, sessionId }
}

type Portion = { userId: string; companyId: string | null; documents: number; shared: number }

/** Inserts documents of every kind, size, language and status, with interleaved dates of all people. */
async function insertDocuments(db: Kysely<Tables>, portion: Portion): Promise<void> {
  const { userId, companyId, documents, shared } = portion
  await sql`
    with numbers as (
      select n, gen_random_uuid() as blob_id, gen_random_uuid() as reading_id,
        (array['pdf', 'docx', 'xlsx', 'png', 'mp3', 'html', 'md', 'txt', 'eml', 'zip'])[1 + (random() * 9)::int] as format,
        case when random() < 0.95 then 'completed' when random() < 0.6 then 'failed'
          else (array['queued', 'in_progress'])[1 + (random())::int] end as status,
        (array['en', 'fr', 'de', null])[1 + (random() * 3)::int] as language,
        (1000 * exp(random() * 10))::bigint as size,
        now() - random() * interval '3 years' as at
      from generate_series(1, ${documents}::int) as n
    ), files as (
      insert into blobs (id, user_id, sha256, size, file_key)
      select blob_id, ${userId}, md5(random()::text), size, blob_id::text from numbers
    ), read as (
      insert into readings (id, blob_id, user_id, pipeline, name, status, format, language, facts, report, files, chunks, parse_ms, updated_at)
      select reading_id, blob_id, ${userId}, 'normal', 'file', status, format, language,
        '{"pages": 12, "title": "Quarterly report on the price of labour"}', '{"pages": 12, "tables": 2, "warnings": []}',
        '{digitized.md,text.md,thumb.webp}', 40, 800, at from numbers
    )
    insert into documents (user_id, company_id, name, extension, size, reading_id, is_starred, tags, status, format, language, created_at, updated_at)
    select ${userId}, case when random() < ${shared} then ${companyId}::uuid end,
      (array['Report', 'Invoice', 'Contract', 'Minutes', 'Offer'])[1 + (random() * 4)::int] || ' ' || md5(random()::text) || '.' || format,
      format, size, reading_id, random() < 0.05, case when n % 20 = 0 then array['folder/' || (n % 400)] else '{}' end,
      status, format, language, at, at from numbers`.execute(db)
  await sql`
    insert into document_versions (document_id, version, reading_id, name)
    select id, 1, reading_id, name from documents where user_id = ${userId}`.execute(db)
}

/** Puts half of the owner's documents into forty workspaces, and every tenth into a chat. */
async function placeDocuments(db: Kysely<Tables>, userId: string) {
  await sql`
    insert into workspaces (user_id, name, is_default)
    select ${userId}, 'Workspace ' || n, n = 1 from generate_series(1, 40) as n`.execute(db)
  await sql`insert into sessions (user_id, title) select ${userId}, 'Chat ' || n from generate_series(1, 50) as n`.execute(
    db,
  )
  await sql`
    insert into workspace_documents (workspace_id, document_id)
    select w.id, d.id from (select id, (random() * 80)::int as place from documents where user_id = ${userId}) d
    join (select id, row_number() over (order by id) as place from workspaces where user_id = ${userId}) w
      on w.place = d.place`.execute(db)
  await sql`
    insert into session_documents (session_id, document_id)
    select s.id, d.id from (select id, (random() * 500)::int as place from documents where user_id = ${userId}) d
    join (select id, row_number() over (order by id) as place from sessions where user_id = ${userId}) s
      on s.place = d.place`.execute(db)
  const first = async (table: 'workspaces' | 'sessions') =>
    (
      await db
        .selectFrom(table)
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('id')
        .limit(1)
        .executeTakeFirstOrThrow()
    ).id
  return { workspaceId: await first('workspaces'), sessionId: await first('sessions') }
}
