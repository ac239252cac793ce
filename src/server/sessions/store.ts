import type { Insertable, Updateable } from 'kysely'
import { type Kysely, sql } from 'kysely'
import type { Session } from '#shared/sessions/sessions.ts'
import { may, type Person } from '../access/access.ts'
import { type Database, toJson, withinBytes } from '../db/db.ts'
import type { Tables } from '../db/tables.ts'
import type { Platform } from '../platform.ts'
import { escapeLike, markMatch } from './match.ts'
import { searchFairly } from './search-store.ts'

type Row = {
  id: string
  title: string
  status: string
  created_at: Date
  updated_at: Date
  model_name: string | null
  session_metadata: Record<string, unknown>
  agent_status: string | null
  pending_input: Record<string, unknown> | null
  preview: string | null
  run_id: string | null
  hit?: string | null
  hit_id?: string | null
}

const activeRun = sql<string | null>`(
  select r.id from runs r
  where r.session_id = s.id and r.kind = 'chat' and r.parent_run_id is null
    and r.state in ('queued', 'running', 'waiting', 'paused'))`

/** One session by its id, as it goes over the wire. */
export async function readSession(db: Kysely<Tables>, id: string): Promise<Session> {
  const { rows } =
    await sql<Row>`select s.*, ${activeRun} as run_id from sessions s where s.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`session ${id} is gone`)
  return toSession(row)
}

/** Deletes a session with all that belongs to it. Its rows of the ledger stay: what was paid was paid. */
export async function deleteWhole(db: Database, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // At once, and not for each session and run: most of the time of a long chat's deletion went here.
    await trx
      .updateTable('ledger_entries')
      .set({ session_id: null, run_id: null })
      .where('session_id', '=', id)
      .execute()
    await trx.deleteFrom('sessions').where('id', '=', id).execute()
  })
}

type Page = { skip: number; limit: number; q?: string }

/** A page of the sessions a person may read, the one that changed last first; `q` searches titles and message texts. */
export async function listSessions(
  { db, searchDb }: Pick<Platform, 'db' | 'searchDb'>,
  person: Person,
  { q, ...page }: Page,
) {
  if (q) return searchFairly(searchDb, person.id, (trx) => findMatching(trx, person, q, page))
  const rows = await findAll(db, person, page)
  return { items: rows.map((row) => toSession(row)), total: await countAll(db, person) }
}

async function findAll(db: Kysely<Tables>, person: Person, { skip, limit }: Page) {
  const { rows } = await withinBytes(sql<Row>`
    select s.*, ${activeRun} as run_id from sessions s
    where ${may(person, 'read session', 's')}
    order by s.updated_at desc, s.id limit ${limit} offset ${skip}`).execute(db)
  return rows
}

async function countAll(db: Kysely<Tables>, person: Person): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from sessions where ${may(person, 'read session')}`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * Each text is looked through once, for the page and for the count. A hit is the newest message that matches, reduced
 * to what is around the words: a message may have a megabyte.
 */
async function findMatching(db: Kysely<Tables>, person: Person, q: string, { skip, limit }: Page) {
  const pattern = `%${escapeLike(q)}%`
  const { rows } = await sql<Partial<Row> & { total: number }>`
    with found as materialized (
      select s.id, hit.id as hit_id from sessions s left join lateral (
        select m.id from messages m where m.session_id = s.id and m.content ilike ${pattern}
        order by m.created_at desc limit 1
      ) hit on true
      where ${may(person, 'read session', 's')} and (s.title ilike ${pattern} or hit.id is not null)
    )
    select counted.total, page.* from (select count(*)::int as total from found) counted left join (${withinBytes(sql`
      select s.*, ${activeRun} as run_id, found.hit_id,
        substring(m.content from greatest(1, strpos(lower(m.content), lower(${q})) - 100) for 400) as hit
      from found join sessions s on s.id = found.id left join messages m on m.id = found.hit_id
      order by s.updated_at desc, s.id limit ${limit} offset ${skip}`)}
    ) page on true
    order by page.updated_at desc, page.id`.execute(db)
  const items = rows.flatMap((row) => (row.id ? [toSession(row as Row, q)] : []))
  return { items, total: rows[0]?.total ?? 0 }
}

function toSession({ run_id, hit, hit_id, created_at, updated_at, ...row }: Row, q?: string): Session {
  const { id, title, status, model_name, session_metadata, agent_status, pending_input, preview } = row
  const session = {
    ...{ id, title, status, model_name, session_metadata, agent_status, pending_input, preview },
    ...{ documents: [], processing_task_id: run_id },
    ...{ created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
  } as Session
  return q ? { ...session, match: markMatch(hit ?? title, q), match_message_id: hit_id ?? null } : session
}

export async function insertSession(db: Database, session: Insertable<Tables['sessions']>): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

export async function changeSession(
  db: Database,
  id: string,
  changes: Updateable<Tables['sessions']>,
): Promise<void> {
  await db.updateTable('sessions').set(changes).where('id', '=', id).execute()
}

/** Changes what is given of a session's metadata. */
export async function changeMetadata(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  id: string,
  entries: Record<string, unknown>,
): Promise<void> {
  await sql`
    update sessions set session_metadata = session_metadata || ${toJson(entries)}::jsonb, updated_at = ${clock.now()}
    where id = ${id}`.execute(db)
}
