import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isPresent } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/**
 * A user's data besides chats and files, by file name: the table, and the columns to leave out because they are secrets of this
 * installation or meaningless elsewhere. `is` names what the trash may hide.
 */
const lists = {
  'sign-ins': { table: 'access_tokens', without: ['token_hash'] },
  'sign-on': { table: 'identities', without: [] },
  companies: { table: 'company_members', without: [] },
  terms: { table: 'terms_acceptances', without: [] },
  // An import reads the lists by name, so that schedules follow the assistants and documents that they use.
  documents: { table: 'documents', without: [], is: 'document' },
  assistants: { table: 'assistants', without: [] },
  prompts: { table: 'prompts', without: [] },
  facts: { table: 'facts', without: ['words', 'embedding', 'embedding_model'] },
  'refused-facts': { table: 'refused_facts', without: [] },
  'memory-settings': { table: 'memory_settings', without: [] },
  'memory-switches': { table: 'memory_switches', without: [] },
  schedules: { table: 'schedules', without: ['last_result', 'mail_token'] },
  deliveries: { table: 'trigger_deliveries', without: [] },
  'assistant-addresses': { table: 'assistant_addresses', without: ['token'] },
  'assistant-mails': { table: 'assistant_mails', without: [] },
  'own-tools': { table: 'own_tools', without: [] },
  'own-tool-sets': { table: 'own_tool_sets', without: [] },
  'tool-policies': { table: 'tool_policies', without: [] },
  media: { table: 'media', without: ['file_key'], is: 'media' },
  'tool-calls': { table: 'tool_executions', without: [], is: 'execution' },
  feedback: { table: 'feedback', without: [] },
  workspaces: { table: 'workspaces', without: [] },
  'memory-uses': { table: 'fact_uses', without: [] },
  'queued-messages': { table: 'queued_messages', without: [] },
  answers: { table: 'input_requests', without: [], is: 'request' },
  services: {
    table: 'service_connections',
    without: ['refresh_token'],
  },
  accounts: { table: 'personal_accounts', without: ['sealed'] },
  links: { table: 'share_links', without: ['token', 'token_hash'], is: 'link' },
  ledger: { table: 'ledger_entries', without: [] },
  imports: { table: 'imports', without: ['upload_id', 'parts'] },
} as const
export type ListName = keyof typeof lists
export const listNames = Object.keys(lists) as ListName[]

const PAGE_ROWS = 500

type Listed = 'session' | 'document' | 'execution' | 'request' | 'link' | 'media' | 'file'

/** Leaves out the trash and temporary chats, with what belongs to them. */
function isListed(thing: Listed, alias: string): RawBuilder<boolean> {
  const present = isPresent(thing, alias)
  if (thing === 'document') return present
  if (thing === 'session') return sql<boolean>`(${present} and ${sql.ref(`${alias}.origin`)} <> 'temporary')`
  const run = sql`(select r.session_id from runs r where r.id = ${sql.ref(`${alias}.run_id`)})`
  const session = thing === 'media' || thing === 'file' ? run : sql.ref(`${alias}.session_id`)
  return sql<boolean>`(${present} and not exists (
    select from sessions temporary where temporary.id = ${session} and temporary.origin = 'temporary'))`
}

const isOfPresentChat = sql<boolean>`exists (select from messages m join sessions s on s.id = m.session_id
  where m.id = t.message_id and ${isListed('session', 's')})`

const isInPresentChat = sql<boolean>`exists (select from sessions s where s.id = t.session_id and ${isListed('session', 's')})`

/** Lists whose rows belong to the owner of something else. */
const ownedThrough: Partial<Record<ListName, (userId: string) => RawBuilder<boolean>>> = {
  'memory-uses': (userId) =>
    sql<boolean>`exists (select from facts f where f.id = t.fact_id and f.user_id = ${userId})`,
  deliveries: (userId) =>
    sql<boolean>`exists (select from schedules c where c.id = t.schedule_id and c.user_id = ${userId})`,
  'assistant-mails': (userId) =>
    sql<boolean>`exists (select from mail_threads thread where thread.id = t.thread_id and thread.user_id = ${userId})`,
}

/** Lists whose rows show when their chat does. */
const shownIn: Partial<Record<ListName, RawBuilder<boolean>>> = {
  feedback: isOfPresentChat,
  'memory-uses': isOfPresentChat,
  'queued-messages': isInPresentChat,
}

/** Adds the reply that shows a file. A sub-run has the reply of the run that began it. */
const ofReply = sql` || (with recursive run as (
    select r.id, r.session_id, r.message_id, r.parent_run_id from runs r where r.id = t.run_id
    union select r.id, r.session_id, r.message_id, r.parent_run_id from runs r join run on r.id = run.parent_run_id)
  select jsonb_build_object('session_id', max(session_id::text), 'message_id', max(message_id::text)
    filter (where parent_run_id is null)) from run)`

/** Adds the chat of a reply that used a fact. */
const ofMessage = sql` || jsonb_build_object('session_id', (select m.session_id from messages m where m.id = t.message_id))`

/** Selects the strictest of some classes of data, with the name it may have in another installation. */
const strictest = (classes: RawBuilder<unknown>) => sql`(select jsonb_build_object('id', c.id, 'name', c.name)
  from ${classes} as own (id) join data_classes c on c.id = own.id order by c.position desc, c.id limit 1)`

/** Selects the things whose text is in a chat, with the class of each. */
const sourcesOfChat = sql<object[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('kind', s.kind, 'id', s.source_id, 'class_id', s.level ->> 'id',
    'class', s.level ->> 'name') order by s.kind, s.source_id), '[]')
  from (select distinct on (kind, source_id) kind, source_id,
      ${strictest(sql`classes_of_source(kind, source_id, class_id)`)} as level
    from sources_of_chat(sessions.id) order by kind, source_id, class_id limit 10000) s)`

/** Adds the class of a document, and its versions. The newest one is the document. */
const withVersions = sql` || jsonb_build_object('data_class', ${strictest(sql`classes_of_document(t.id)`)}, 'versions', (
  select jsonb_agg(jsonb_build_object('version', v.version, 'name', v.name, 'pipeline', r.pipeline) order by v.version)
  from document_versions v join readings r on r.id = v.reading_id where v.document_id = t.id))`

/** Adds the class, the documents, the instructions and the place in the sidebar of a project. */
const withParts = sql` || jsonb_build_object(
  'data_class', ${strictest(sql`classes_of_source('project', t.id, null)`)},
  'documents', (select jsonb_agg(d.document_id order by d.added_at, d.document_id)
    from workspace_documents d where d.workspace_id = t.id),
  'versions', (select jsonb_agg(jsonb_build_object('version', v.version, 'text', v.text, 'created_at', v.created_at) order by v.version)
    from instruction_versions v where v.workspace_id = t.id),
  'mark', (select jsonb_build_object('is_pinned', m.is_pinned, 'is_collapsed', m.is_collapsed, 'position', m.position)
    from project_marks m where m.workspace_id = t.id and m.user_id = t.user_id))`

/** Adds the company, the version and the texts of accepted terms. */
const withTexts = sql` || (select jsonb_build_object('company', c.name, 'version', v.version, 'text_en', v.text_en, 'text_fr', v.text_fr)
  from company_terms v join companies c on c.id = v.company_id where v.id = t.terms_id)`

/** Columns that are added to the rows of a list. */
const additions: Partial<Record<ListName, RawBuilder<unknown>>> = {
  media: ofReply,
  'memory-uses': ofMessage,
  documents: withVersions,
  workspaces: withParts,
  terms: withTexts,
}

/** Facts before their earlier versions and the proposals that contradict them, so that an import finds what they refer to. */
export async function* readFacts(db: Db, userId: string): AsyncGenerator<string> {
  for (const state of ['kept', 'proposed', 'replaced'])
    yield* readList(db, userId, 'facts', sql<boolean>`t.state = ${state}`)
}

/** Schedules that start after another one follow it, so that an import finds it. */
export async function* readSchedules(db: Db, userId: string): AsyncGenerator<string> {
  for (const follows of [false, true])
    yield* readList(
      db,
      userId,
      'schedules',
      sql<boolean>`(t.rule ->> 'kind' = 'schedule_run') is not distinct from ${follows}`,
    )
}

/** Yields the rows of a list as JSON texts, page by page. */
export async function* readList(
  db: Db,
  userId: string,
  name: ListName,
  only = sql<boolean>`true`,
): AsyncGenerator<string> {
  const { table, without, ...kind } = lists[name]
  const listed = 'is' in kind ? isListed(kind.is, 't') : (shownIn[name] ?? sql`true`)
  const isOwned = ownedThrough[name]?.(userId) ?? sql`t.user_id = ${userId}`
  let last = '(0,0)'
  for (;;) {
    const { rows } = await sql<{ place: string; row: string }>`
      select t.ctid::text as place, (to_jsonb(t) - ${[...without]}::text[]${additions[name] ?? sql``})::text as row
      from ${sql.table(table)} t where ${isOwned} and t.ctid > ${last}::tid and ${listed} and ${only}
      order by t.ctid limit ${PAGE_ROWS}`.execute(db)
    yield* rows.map(({ row }) => row)
    if (rows.length < PAGE_ROWS) return
    last = rows.at(-1)?.place ?? last
  }
}

/** Returns the user's profile and settings, without the password. */
export async function readProfile(db: Db, userId: string): Promise<string> {
  const { rows } = await sql<{ row: string }>`
    select (to_jsonb(u) - array['password_hash', 'name_skeleton'])::text as row from users u where u.id = ${userId}`.execute(
    db,
  )
  return rows[0]?.row ?? 'null'
}

export async function listChats(db: Db, userId: string, after: string | null) {
  return db
    .selectFrom('sessions')
    .leftJoin('session_marks as mark', (join) =>
      join.onRef('mark.session_id', '=', 'sessions.id').on('mark.user_id', '=', userId),
    )
    .select(['id', 'title', 'active_leaf', 'created_at', 'updated_at'])
    .select(['model_name', 'session_metadata', 'workspace_id'])
    .select([
      sql<boolean>`mark.archived_at is not null`.as('is_archived'),
      sql<boolean>`sessions.activity > coalesce(mark.seen, 0)`.as('is_unread'),
      sql<number | null>`mark.position`.as('pin_position'),
      sql<string[]>`coalesce(mark.tags, '{}')`.as('tags'),
      sourcesOfChat.as('data_sources'),
    ])
    .where('sessions.user_id', '=', userId)
    .where(isListed('session', 'sessions'))
    .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(200)
    .execute()
}

/** Yields as JSON texts which chats of a person were forked from which. */
export async function* readForks(db: Db, userId: string): AsyncGenerator<string> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<{ id: string; row: string }>`
      select s.id, json_build_object('fork', s.id, 'forked_from', s.forked_from, 'forked_message', s.forked_message,
        'fork_end', s.fork_end)::text as row
      from sessions s where s.user_id = ${userId} and s.forked_from is not null and ${isListed('session', 's')}
        and s.id > ${after}::uuid order by s.id limit ${PAGE_ROWS}`.execute(db)
    yield* rows.map(({ row }) => row)
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)?.id ?? after
  }
}

export type ArchivedFile = {
  id: string
  name: string
  size: number
  file_key: string
  version?: number
  versions?: number
}

/** Returns all versions of a user's documents as uploaded. */
export async function listDocumentFiles(
  db: Db,
  userId: string,
  after: string | null,
): Promise<ArchivedFile[]> {
  const { rows } = await sql<ArchivedFile>`
    select d.id, v.name, b.size, b.file_key, v.version, d.version as versions
    from (select id, version from documents where user_id = ${userId} and connector_id is null and ${isPresent('document', 'documents')} and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit 200) d
    join document_versions v on v.document_id = d.id
    join readings r on r.id = v.reading_id
    join blobs b on b.id = r.blob_id
    order by d.id, v.version limit 20000`.execute(db)
  return rows
}

/** Returns files that tools made for a user and files given as answers. */
export async function listOtherFiles(db: Db, userId: string, after: string | null): Promise<ArchivedFile[]> {
  const { rows } = await sql<ArchivedFile>`
    select id, name, size, file_key from (
      select id, name, size, file_key from media where user_id = ${userId} and ${isListed('media', 'media')}
      union all select id, name, size, file_key from input_files where user_id = ${userId} and ${isListed('file', 'input_files')}
    ) files where ${after}::uuid is null or id > ${after}::uuid order by id limit 200`.execute(db)
  return rows
}

export async function countAll(
  db: Db,
  userId: string,
): Promise<{ chats: number; documents: number; files: number }> {
  const { rows } = await sql<{ chats: number; documents: number; files: number }>`
    select (select count(*)::int from sessions where user_id = ${userId} and ${isListed('session', 'sessions')}) as chats,
      (select count(*)::int from documents where user_id = ${userId} and connector_id is null and ${isPresent('document', 'documents')}) as documents,
      (select count(*)::int from media where user_id = ${userId} and ${isListed('media', 'media')})
        + (select count(*)::int from input_files where user_id = ${userId} and ${isListed('file', 'input_files')}) as files`.execute(
    db,
  )
  return rows[0] ?? { chats: 0, documents: 0, files: 0 }
}
