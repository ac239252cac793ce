import type { Insertable, Updateable } from 'kysely'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { MAX_PINS } from '#shared/chat/session-marks/marks.ts'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { isPresent, may, type Person, tellWithdrawn } from '../../platform/access/access.ts'
import { type Database, toJson, withinBytes } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'
import { escapeLike, markMatch } from './match.ts'
import { searchFairly } from './search-store.ts'

type Row = {
  id: string
  origin: string
  title: string
  status: string
  created_at: Date
  updated_at: Date
  model_name: string | null
  session_metadata: Record<string, unknown>
  agent_status: string | null
  pending_input: Record<string, unknown> | null
  preview: string | null
  documents: Session['documents']
  run_id: string | null
  last_state: string | null
  pin_position: number | null
  is_archived: boolean
  is_unread: boolean
  tags: string[]
  project: Session['project']
  hit?: string | null
  hit_id?: string | null
}

const activeRun = sql<string | null>`(
  select r.id from runs r
  where r.session_id = s.id and r.kind = 'chat' and r.parent_run_id is null
    and r.state in ('queued', 'running', 'waiting', 'paused'))`

const lastState = sql<string | null>`(
  select r.state from runs r
  where r.session_id = s.id and r.kind = 'chat' and r.parent_run_id is null
  order by r.created_at desc limit 1)`

/** Selects a chat's documents in the order they were added. */
const documents = sql<Session['documents']>`(
  select coalesce(json_agg(json_build_object('id', d.id, 'name', d.name,
    'created_at', ${asIso('d.created_at')}, 'updated_at', ${asIso('d.updated_at')})), '[]')
  from (
    select d.* from session_documents l join documents d on d.id = l.document_id
    where l.session_id = s.id and ${isPresent('document', 'd')} order by l.added_at, d.id limit 200) d)`

/** Selects the project of a chat, while the person may read it. */
const projectOf = (person: Person) => sql`(
  select json_build_object('id', w.id, 'name', w.name, 'colour', w.colour, 'icon', w.icon,
    'is_shared', s.shared_with_project, 'may_write', ${may(person, 'write session', 's')}, 'is_archived', w.archived_at is not null,
    'author', case when s.user_id <> ${person.id} then
      (select coalesce(nullif(trim(u.full_name), ''), u.username) from users u where u.id = s.user_id) end)
  from workspaces w where w.id = s.workspace_id and ${may(person, 'read workspace', 'w')})`

const whatElse = (
  person: Person,
) => sql`${projectOf(person)} as project, ${activeRun} as run_id, ${lastState} as last_state, ${documents} as documents,
  mark.position as pin_position, mark.archived_at is not null as is_archived, coalesce(mark.tags, '{}') as tags,
  s.origin = 'chat' and s.activity > coalesce(mark.seen, 0) as is_unread`

/** Joins how the person organizes each chat. */
const joinMarks = (personId: string) =>
  sql`left join session_marks mark on mark.session_id = s.id and mark.user_id = ${personId}`

function asIso(column: string): RawBuilder<string> {
  return sql<string>`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Returns one session in wire format, with the marks of the person. */
export async function readSession(db: Kysely<Tables>, person: Person, id: string): Promise<Session> {
  const { rows } = await sql<Row>`
    select s.*, ${whatElse(person)} from sessions s ${joinMarks(person.id)} where s.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`session ${id} is gone`)
  return toSession(row)
}

/**
 * Deletes a session with everything in it. Its ledger rows stay, because they were paid. Returns the keys of its media and
 * exports, to remove after the commit.
 */
export async function deleteWhole(trx: Transaction<Tables>, id: string): Promise<string[]> {
  const { rows: files } = await sql<{ file_key: string }>`
    select file_key from media where run_id in (select id from runs where session_id = ${id})
    union all select file_key from exports where session_id = ${id} and file_key is not null`.execute(trx)
  // In bulk: deleting per session and run took most of the time for a long chat.
  await trx
    .updateTable('ledger_entries')
    .set({ session_id: null, run_id: null })
    .where('session_id', '=', id)
    .execute()
  await trx.updateTable('sessions').set({ forked_message: null }).where('forked_from', '=', id).execute()
  await trx.deleteFrom('sessions').where('id', '=', id).execute()
  await tellWithdrawn(trx, id)
  return files.map(({ file_key }) => file_key)
}

type Page = { skip: number; limit: number }
/** Filter for the listed sessions. */
type Filter = {
  q?: string | undefined
  archived?: 'true' | undefined
  tags?: string | undefined
  workspace_id?: string | undefined
}

/**
 * Returns a page of the sessions a user may read, last changed first. `q` searches titles and messages. The first page of
 * the unfiltered list brings the pinned sessions.
 */
export async function listSessions(
  { db, searchDb }: Pick<Platform, 'db' | 'searchDb'>,
  person: Person,
  { skip, limit, ...filter }: Page & Filter,
) {
  const page = { skip, limit }
  const { q } = filter
  if (q) return searchFairly(searchDb, person.id, (trx) => findMatching(trx, person, { ...filter, q }, page))
  const [rows, total] = [await findAll(db, person, filter, page), await countAll(db, person, filter)]
  const isWhole = skip === 0 && !filter.archived && !filter.tags && !filter.workspace_id
  return {
    items: rows.map((row) => toSession(row)),
    total,
    pinned: isWhole ? (await findPinned(db, person)).map((row) => toSession(row)) : [],
  }
}

/**
 * Excludes sessions of programs from the history, and archived ones from the list; a search finds those too. Sessions of
 * others are listed in their project only.
 */
function isListed(person: Person, alias: string, { q, archived, tags, workspace_id }: Filter) {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  const isPlaced = workspace_id
    ? sql`${column('workspace_id')} = ${workspace_id}`
    : sql`${column('user_id')} = ${person.id}`
  const marked = (condition: RawBuilder<unknown>) => sql`exists (select from session_marks m
    where m.user_id = ${person.id} and m.session_id = ${sql.ref(`${alias}.id`)} and ${condition})`
  const isArchived = marked(sql`m.archived_at is not null`)
  const wanted = tags?.split(',').flatMap((tag) => tag.trim() || []) ?? []
  return sql`(${may(person, 'read session', alias)} and ${isPlaced} and ${column('origin')} = 'chat'
    and ${archived ? isArchived : q ? sql`true` : sql`not ${isArchived}`}
    and ${wanted.length > 0 ? marked(sql`m.tags @> ${wanted}::text[]`) : sql`true`})`
}

async function findAll(db: Kysely<Tables>, person: Person, filter: Filter, { skip, limit }: Page) {
  const { rows } = await withinBytes(sql<Row>`
    select s.*, ${whatElse(person)} from sessions s ${joinMarks(person.id)}
    where ${isListed(person, 's', filter)}
    order by s.updated_at desc, s.id limit ${limit} offset ${skip}`).execute(db)
  return rows
}

async function findPinned(db: Kysely<Tables>, person: Person) {
  const { rows } = await withinBytes(sql<Row>`
    select s.*, ${whatElse(person)} from session_marks mark join sessions s on s.id = mark.session_id
    where mark.user_id = ${person.id} and mark.position is not null and mark.archived_at is null
      and ${may(person, 'read session', 's')} and s.origin = 'chat'
    order by mark.position, s.id limit ${MAX_PINS}`).execute(db)
  return rows
}

async function countAll(db: Kysely<Tables>, person: Person, filter: Filter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from sessions where ${isListed(person, 'sessions', filter)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Messages up to this size are indexed for search, longer ones are scanned; migration 0027 uses the same number. */
const SHORT_BYTES = 8192

/**
 * Finds chats by title or messages. The database chooses between the index and a scan by how rare the words are. The hit
 * is the newest matching message, loaded only for the page and cut to the text around the words, because a message may
 * have a megabyte.
 */
async function findMatching(
  db: Kysely<Tables>,
  person: Person,
  filter: Filter & { q: string },
  { skip, limit }: Page,
) {
  const { q } = filter
  const pattern = `%${escapeLike(q)}%`
  const isReadable = isListed(person, 's', filter)
  const hasMessage = (size: RawBuilder<unknown>) => sql`
    select s.id from sessions s where ${isReadable} and exists (
      select from messages m where m.session_id = s.id and octet_length(m.content) ${size} and m.content ilike ${pattern})`
  const { rows } = await sql<Partial<Row> & { total: number }>`
    with found as materialized (
      select s.id from sessions s where ${isReadable} and s.title ilike ${pattern}
      union ${hasMessage(sql`<= ${sql.lit(SHORT_BYTES)}`)}
      union ${hasMessage(sql`> ${sql.lit(SHORT_BYTES)}`)}
    )
    select counted.total, page.* from (select count(*)::int as total from found) counted left join (${withinBytes(sql`
      select s.*, ${whatElse(person)}, hit.id as hit_id,
        substring(hit.content from greatest(1, strpos(lower(hit.content), lower(${q})) - 100) for 400) as hit
      from (
        select * from sessions where id in (select id from found)
        order by updated_at desc, id limit ${limit} offset ${skip}
      ) s ${joinMarks(person.id)} left join lateral (
        select m.id, m.content from messages m where m.session_id = s.id and m.content ilike ${pattern}
        order by m.created_at desc limit 1
      ) hit on true
      order by s.updated_at desc, s.id`)}
    ) page on true
    order by page.updated_at desc, page.id`.execute(db)
  const items = rows.flatMap((row) => (row.id ? [toSession(row as Row, q)] : []))
  return { items, total: rows[0]?.total ?? 0, pinned: [] }
}

function toSession(
  { run_id, last_state, hit, hit_id, created_at, updated_at, ...row }: Row,
  q?: string,
): Session {
  const { id, title, status, model_name, session_metadata, agent_status, pending_input, preview, documents } =
    row
  const { pin_position, is_archived, is_unread, tags, project } = row
  const session = {
    ...{ id, title, status, model_name, session_metadata, agent_status, pending_input, preview },
    ...{ documents, processing_task_id: run_id, is_stopped: last_state === 'stopped' },
    ...{ pin_position, is_archived, is_unread, tags, project },
    ...{ created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
    ...(row.origin === 'temporary' && { is_temporary: true }),
  } as Session
  return q ? { ...session, match: markMatch(hit ?? title, q), match_message_id: hit_id ?? null } : session
}

/** Returns the user's newest untouched chat (no message, choice or name) and moves it to the top. Null without one. */
export async function takeUntouched(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    update sessions set updated_at = ${clock.now()} where id = (
      select s.id from sessions s
      where s.user_id = ${userId} and s.deleted_at is null and s.origin = 'chat' and s.active_leaf is null and s.status = 'NEW' and s.title_source = 'default'
        and s.model_name is null and s.workspace_id is null and s.session_metadata = '{"agent_type": "multi_turn"}'
        and not exists (select from messages m where m.session_id = s.id)
        and not exists (select from runs r where r.session_id = s.id)
        and not exists (select from session_documents d where d.session_id = s.id)
        and not exists (select from session_workspaces w where w.session_id = s.id)
        and not exists (select from session_marks k where k.session_id = s.id and k.archived_at is not null)
      order by s.updated_at desc limit 1 for update skip locked
    ) returning id`.execute(db)
  return rows[0]?.id ?? null
}

type NewSession = Omit<Insertable<Tables['sessions']>, 'lease_until'> & { lease_until?: RawBuilder<Date> }

/** Inserts a session unless the id exists. */
export async function insertSession(db: Database, session: NewSession): Promise<void> {
  await db
    .insertInto('sessions')
    .values(session)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export async function changeSession(
  db: Database,
  id: string,
  changes: Updateable<Tables['sessions']>,
): Promise<void> {
  await db.updateTable('sessions').set(changes).where('id', '=', id).execute()
}

/** Merges changes into a session's metadata. */
export async function changeMetadata(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  id: string,
  entries: Record<string, unknown>,
): Promise<void> {
  await sql`
    update sessions set session_metadata = session_metadata || ${toJson(entries)}::jsonb, updated_at = ${clock.now()}
    where id = ${id}`.execute(db)
}
