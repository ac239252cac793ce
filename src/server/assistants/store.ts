import { type Kysely, type Selectable, sql } from 'kysely'
import type { AssistantChanges, NewAssistant } from '#shared/assistants/assistants.ts'
import type { Right } from '#shared/http.ts'
import { admit, companiesOf, type Judged, judge, may, type Person, type Principal } from '../access/access.ts'
import { cleanCharacters, toJson } from '../db/db.ts'
import type { Tables } from '../db/tables.ts'
import { insertVersion, type Save } from './version-store.ts'

type Counts = { document_count: number; tool_count: number | null }
/** `can_edit`: whether who asked may change it. */
export type AssistantRow = Selectable<Tables['assistants']> & Counts & { can_edit: boolean }
type Long = 'system_prompt' | 'example_prompts' | 'documents' | 'tools'
export type ListedRow = Omit<AssistantRow, Long>
/** A stretch of a list: what comes after a row, so many of them. */
export type Stretch = { after: string | null; limit: number }

const listedColumns = [
  ...(['id', 'user_id', 'company_id', 'name', 'description', 'icon'] as const),
  ...(['agent_type', 'model_name', 'temperature', 'status', 'created_at', 'updated_at'] as const),
] as const

const [documents, tools] = [
  sql<number>`jsonb_array_length(documents)`,
  sql<number | null>`jsonb_array_length(tools)`,
]
const counts = [documents.as('document_count'), tools.as('tool_count')] as const
const counted = sql`${documents} as document_count, ${tools} as tool_count`

/** A person's own assistants, newest first. */
export function listOwn(db: Kysely<Tables>, person: Person, stretch: Stretch): Promise<ListedRow[]> {
  return listedIn(db, person, stretch).where('user_id', '=', person.id).execute()
}

/** What others share in the companies of a person, newest first. */
export async function listShared(db: Kysely<Tables>, person: Person, stretch: Stretch): Promise<ListedRow[]> {
  const companies = companiesOf(person)
  if (companies.length === 0) return []
  return listedIn(db, person, stretch)
    .where('company_id', 'in', companies)
    .where('status', '=', 'published')
    .where('user_id', '!=', person.id)
    .execute()
}

function listedIn(db: Kysely<Tables>, principal: Principal, { after, limit }: Stretch) {
  // Compared where it is stored: a date of JavaScript has lost its microseconds.
  const place = sql`(select created_at, id from assistants where id = ${after})`
  return db
    .selectFrom('assistants')
    .select(listedColumns)
    .select([...counts, canEdit(principal)])
    .where(may(principal, 'read assistant'))
    .$if(after !== null, (query) => query.where(sql<boolean>`(created_at, id) < ${place}`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
}

/** The newest published assistants of a person. */
export function findOwnPublished(db: Kysely<Tables>, person: Person, limit: number): Promise<AssistantRow[]> {
  return db
    .selectFrom('assistants')
    .selectAll()
    .select([...counts, canEdit(person)])
    .where('user_id', '=', person.id)
    .where('status', '=', 'published')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Those of these assistants that a principal may use, in no order. */
export async function findRows(
  db: Kysely<Tables>,
  principal: Principal,
  ids: string[],
): Promise<AssistantRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('assistants')
    .selectAll()
    .select([...counts, canEdit(principal)])
    .where('id', 'in', ids)
    .where(may(principal, 'read assistant'))
    .orderBy('id')
    .execute()
}

/** One assistant. @throws AppError `not_found`, `forbidden` */
export async function findRow(
  db: Kysely<Tables>,
  principal: Principal,
  right: Right,
  id: string,
): Promise<AssistantRow> {
  const { rows } = await sql<Judged<AssistantRow>>`
    select a.*, ${counted}, ${may(principal, 'write assistant', 'a')} as can_edit, ${judge(principal, `${right} assistant`, 'a')}
    from assistants a where id = ${id}`.execute(db)
  return admit(rows[0], `${right} assistant`)
}

/** Stores a new assistant unless its owner has `most` of them; null then. Of two at once the second waits and counts both. */
export function insertAssistant(
  db: Kysely<Tables>,
  owner: Person,
  { name, ...rest }: NewAssistant,
  companyId: string | null,
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
    const row = await trx
      .insertInto('assistants')
      .values({ user_id: owner.id, company_id: companyId, name: cleanCharacters(name), ...toColumns(rest) })
      .returningAll()
      .returning([...counts, canEdit(owner)])
      .executeTakeFirstOrThrow()
    await insertVersion(trx, row, save)
    return row
  })
}

/** Stores a change, and what the assistant is with it as a version. */
export function writeAssistant(
  db: Kysely<Tables>,
  principal: Principal,
  id: string,
  changes: AssistantChanges,
  companyId: string | null | undefined,
  now: Date,
  save: Save,
): Promise<AssistantRow> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('assistants')
      .set({ ...toColumns(changes), company_id: companyId, updated_at: now })
      .where('id', '=', id)
      .returningAll()
      .returning([...counts, canEdit(principal)])
      .executeTakeFirstOrThrow()
    await insertVersion(trx, row, save)
    return row
  })
}

/** The policies of its tools go with it. */
export async function removeAssistant(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('assistants').where('id', '=', id).execute()
  await db.deleteFrom('tool_policies').where('assistant_id', '=', id).execute()
}

function toColumns({ shared: _, example_prompts, documents, tools, ...plain }: AssistantChanges) {
  const texts = Object.entries(plain).map(([name, value]) => {
    return [name, typeof value === 'string' ? cleanCharacters(value) : value]
  })
  return {
    ...(Object.fromEntries(texts) as typeof plain),
    ...(example_prompts ? { example_prompts: toJson(example_prompts) } : {}),
    ...(documents ? { documents: toJson(documents) } : {}),
    ...(tools === undefined ? {} : { tools: tools === null ? null : toJson(tools) }),
  }
}

function canEdit(principal: Principal) {
  return may(principal, 'write assistant').as('can_edit')
}

/** The names of these documents that a principal may read, by id. */
export async function findDocumentNames(
  db: Kysely<Tables>,
  principal: Principal,
  ids: string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .where(may(principal, 'read document'))
    .orderBy('id')
    .limit(ids.length)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
