import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ensureLibrary } from '../../../src/server/knowledge/collections/collections.ts'
import type { TestApp } from '../app.ts'
import type { TestUser } from '../builders.ts'
import { aRow } from '../vector-row.ts'
import { aProject } from './shared-things.ts'

/** Creates an announcement to a company. */
export async function anAnnouncement({ deps: { db } }: TestApp, companyId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into announcements (tone, text_en, company_ids, starts_at, ends_at, author_name, created_at)
    values ('news', 'The house is closed.', array[${companyId}]::uuid[], now(), now() + interval '1 day', 'Ada', now())
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

/** Creates a sign-on provider without people. */
export async function aProvider({ deps: { db } }: TestApp): Promise<string> {
  const id = `oidc-${randomUUID().slice(0, 8)}`
  const settings = {
    ...{ kind: 'oidc', issuer: 'http://127.0.0.1:9', client_id: 'atrium', scopes: 'openid' },
    ...{ groups_claim: '', asks_graph: false, signs_out: false },
  }
  // The list has a limit.
  await db.deleteFrom('sign_on_providers').where('name', '=', 'Other').execute()
  const row = { id, name: 'Other', is_enabled: false, trusts_addresses: false, rules: '[]' }
  await db
    .insertInto('sign_on_providers')
    .values({ ...row, settings: JSON.stringify(settings) })
    .execute()
  return id
}

/** Returns a document's passage in the library's collection. */
export async function anObject(
  { deps }: TestApp,
  { id: user_id }: TestUser,
  { chunkId: id, documentId: document_id }: { chunkId: string; documentId: string },
): Promise<string> {
  const { table_name, spec } = await ensureLibrary(deps, 384)
  await deps.vectors.table(table_name, spec).put([aRow({ id, document_id, user_id })])
  return id
}

/** Creates a job of the installation that never starts. */
export async function aJob({ deps: { db, jobs } }: TestApp): Promise<string> {
  const key = randomUUID()
  await jobs.add('nobody.does', {}, { key, runAt: new Date(4e12) })
  const { rows } = await sql<{ id: string }>`
    select id::text as id from graphile_worker.jobs where key = ${key}`.execute(db)
  return rows[0]?.id ?? ''
}

export async function aGroup({ deps }: TestApp, company_id: string): Promise<string> {
  const row = { company_id, name: randomUUID() }
  const made = await deps.db.insertInto('groups').values(row).returning('id').executeTakeFirstOrThrow()
  return made.id
}

export async function aChannel({ deps }: TestApp, companyId: string, kind = 'slack'): Promise<string> {
  // The number of connections has a limit.
  await sql`delete from channels where id not in (select id from channels order by created_at desc, id limit 20)`.execute(
    deps.db,
  )
  const sealed = deps.secrets.seal('secret')
  const { rows } = await sql<{ id: string }>`
    insert into channels (company_id, kind, name, address, secret_sealed, token_sealed)
    values (${companyId}, ${kind}, 'Channel', 'http://127.0.0.1:9', ${sealed}, ${sealed}) returning id`.execute(
    deps.db,
  )
  return rows[0]?.id ?? ''
}

export async function aDatabase({ deps }: TestApp): Promise<string> {
  const row = {
    ...{ name: `db-${randomUUID()}`, kind: 'postgres' as const, host: '127.0.0.1', port: 9, database: 'erp' },
    ...{ role: 'reader', tls: 'off' as const, limit_seconds: 1, limit_rows: 1, tables: '[]' },
  }
  // The list has a limit.
  await sql`delete from databases where host = '127.0.0.1'
    and id not in (select id from databases order by created_at desc, id limit 20)`.execute(deps.db)
  const made = await deps.db.insertInto('databases').values(row).returning('id').executeTakeFirstOrThrow()
  return made.id
}

/** Places a legal hold on a project of its own. */
export async function aHold(app: TestApp, owner: TestUser): Promise<string> {
  const projectId = await aProject(app, owner.id)
  const { rows } = await sql<{
    id: string
  }>`insert into legal_holds (workspace_id, name, reason, placed_by, placed_at)
    values (${projectId}, 'Orsane', 'A claim', 'ada', now()) returning id`.execute(app.deps.db)
  return rows[0]?.id ?? ''
}

export async function aConnection({ deps }: TestApp): Promise<string> {
  const row = {
    provider: `p-${randomUUID()}`,
    name: 'Other',
    kind: 'compatible',
    base_url: 'http://127.0.0.1:9/v1',
  }
  // The list has a limit.
  await deps.db.deleteFrom('model_connections').where('name', '=', 'Other').execute()
  const made = await deps.db
    .insertInto('model_connections')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}
