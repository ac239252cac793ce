import { type Kysely, sql } from 'kysely'
import type { ErasedCounts } from '#shared/lifecycle/erasure/erasure.ts'
import { tellWithdrawn } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
/** The result of a deletion step: files to delete, and counts. */
export type Taken = { files: string[]; counts: ErasedCounts }
type Made = { file_key: string; size: number }

/** Returns the next chats of a user; empty at the end. */
export async function nextChats(db: Db, userId: string, limit: number): Promise<string[]> {
  const query = db.selectFrom('sessions').select('id').where('user_id', '=', userId)
  return (await query.orderBy('id').limit(limit).execute()).map(({ id }) => id)
}

/** Returns active standalone runs. */
export async function listStandaloneRuns(db: Db, userId: string): Promise<string[]> {
  const query = db.selectFrom('runs').select('id').where('user_id', '=', userId)
  const active = query.where('session_id', 'is', null).where('finished_at', 'is', null)
  return (await active.orderBy('id').limit(1_000).execute()).map(({ id }) => id)
}

/** Deletes chats with all their content. `made` returns their files with sizes. */
export async function takeChats(trx: Db, ids: string[]): Promise<Taken & { made: Made[] }> {
  const { rows } = await sql<ErasedCounts>`select
    (select count(*)::int from messages where session_id = any(${ids}::uuid[])) as messages,
    (select count(*)::int from exports where session_id = any(${ids}::uuid[])) as exports`.execute(trx)
  const { rows: made } = await sql<Made>`
    select file_key, size::float8 as size from media
    where run_id in (select id from runs where session_id = any(${ids}::uuid[]))
    union all select file_key, coalesce(size, 0)::float8 from exports
    where session_id = any(${ids}::uuid[]) and file_key is not null`.execute(trx)
  // In bulk instead of per session and run.
  await sql`update ledger_entries set session_id = null, run_id = null where session_id = any(${ids}::uuid[])`.execute(
    trx,
  )
  await sql`delete from sessions where id = any(${ids}::uuid[])`.execute(trx)
  for (const id of ids) await tellWithdrawn(trx, id)
  return {
    made,
    files: made.map(({ file_key }) => file_key),
    counts: { chats: ids.length, ...rows[0], ...sizesOf(made) },
  }
}

/** Deletes a user's next documents with their readings. `readings` returns those in progress; null at the end. */
export async function takeDocuments(
  trx: Db,
  userId: string,
  limit: number,
): Promise<(Taken & { readings: string[] }) | null> {
  const count = async () =>
    (
      await sql<{ n: number }>`select count(*)::int as n from documents where user_id = ${userId}`.execute(
        trx,
      )
    ).rows[0]?.n ?? 0
  const before = await count()
  // Jobs lock a reading before its documents.
  await sql`select id from readings where user_id = ${userId} order by id for update`.execute(trx)
  await sql`delete from documents where id in (
    select id from documents where user_id = ${userId} order by parent_id nulls first, id limit ${limit})`.execute(
    trx,
  )
  const unshown = sql`select id from readings r where user_id = ${userId}
    and not exists (select from document_versions v where v.reading_id = r.id)`
  const { rows: sums } = await sql<{ passages: number; vectors: number }>`select
    (select count(*)::int from chunks where reading_id in (${unshown})) as passages,
    (select count(*)::int from chunk_vectors v join chunks c on c.id = v.chunk_id
      where c.reading_id in (${unshown})) as vectors`.execute(trx)
  const { rows: readings } = await sql<{ id: string; status: string; files: string[] }>`
    delete from readings where id in (${unshown}) returning id, status, files`.execute(trx)
  const { rows: blobs } = await sql<{ file_key: string; size: number }>`
    delete from blobs b where user_id = ${userId} and not exists (select from readings r where r.blob_id = b.id)
    returning file_key, size::float8 as size`.execute(trx)
  if (before + readings.length + blobs.length === 0) return null
  const made = readings.flatMap(({ id, files }) => files.map((name) => `readings/${id}/${name}`))
  return {
    readings: readings.filter(({ status }) => status !== 'completed').map(({ id }) => id),
    files: [...blobs.map(({ file_key }) => file_key), ...made],
    counts: { documents: before - (await count()), ...sums[0], ...sizesOf(blobs) },
  }
}

/** Deletes the account with the remaining data. Its usage is added to the total of deleted accounts. */
export async function takeAccount(trx: Db, userId: string, companyId: string | null): Promise<Taken> {
  const { rows: files } = await sql<{ file_key: string; size: number }>`
    select file_key, size::float8 as size from media where user_id = ${userId}
    union all select file_key, size::float8 from input_files where user_id = ${userId}
    union all select file_key, coalesce(size, 0)::float8 from exports where user_id = ${userId} and file_key is not null
    union all select file_key, file_size::float8 from own_tool_interfaces i join own_tools t on t.id = i.tool_id
    where t.user_id = ${userId} and file_key is not null
    union all select 'uploads/' || id || '/' || part, 0 from uploads, unnest(parts || received) part where user_id = ${userId}
    union all select 'uploads/' || upload_id || '/' || part, 0 from imports, unnest(parts) part where user_id = ${userId}`.execute(
    trx,
  )
  const { rows } = await sql<ErasedCounts>`select
    (select count(*)::int from assistants where user_id = ${userId}) as assistants,
    (select count(*)::int from own_tools t join own_tool_sets s on s.id = t.set_id where s.user_id = ${userId}) as tools,
    (select count(*)::int from workspaces where user_id = ${userId}) as workspaces,
    (select count(*)::int from exports where user_id = ${userId}) as exports,
    (select count(*)::int from ledger_entries where user_id = ${userId}) as ledger_entries`.execute(trx)
  await sql`
    insert into departed_usage as kept (month, company_id, model_name, kind, amount, input_tokens, output_tokens, calls)
    select date_trunc('month', created_at at time zone 'UTC')::date, ${companyId}::uuid, model_name, kind, sum(amount),
      coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0), count(*)
    from ledger_entries where user_id = ${userId} group by 1, 3, 4
    on conflict (month, company_id, model_name, kind) do update set amount = kept.amount + excluded.amount,
      input_tokens = kept.input_tokens + excluded.input_tokens, output_tokens = kept.output_tokens + excluded.output_tokens,
      calls = kept.calls + excluded.calls`.execute(trx)
  await sql`delete from users where id = ${userId}`.execute(trx)
  return { files: files.map(({ file_key }) => file_key), counts: { ...rows[0], ...sizesOf(files) } }
}

/** Clears the web caches, because cached pages cannot be attributed to users. */
export async function emptyWebCaches(db: Db): Promise<void> {
  for (const table of ['web_pages', 'link_previews', 'link_pictures'])
    await sql`delete from ${sql.table(table)}`.execute(db)
}

/** Refreshes the planner statistics, whose samples may contain words of deleted rows. */
export async function renewSamples(db: Db): Promise<void> {
  await sql`analyze`.execute(db)
}

const sizesOf = (files: { size: number }[]) => ({
  files: files.length,
  file_bytes: files.reduce((sum, { size }) => sum + size, 0),
})
