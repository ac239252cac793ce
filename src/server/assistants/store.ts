import { type Kysely, type Selectable, sql } from 'kysely'
import type { User } from '#shared/accounts/accounts.ts'
import type { AssistantChanges, NewAssistant } from '#shared/assistants/assistants.ts'
import { cleanCharacters, toJson } from '../db/db.ts'
import type { Tables } from '../db/tables.ts'

export type AssistantRow = Selectable<Tables['assistants']>
type Long = 'system_prompt' | 'example_prompts' | 'documents' | 'tools'
export type ListedRow = Omit<AssistantRow, Long>
/** A stretch of a list: what comes after a row, so many of them. */
export type Stretch = { after: string | null; limit: number }

const listedColumns = [
  ...(['id', 'user_id', 'company_id', 'name', 'description', 'icon'] as const),
  ...(['agent_type', 'model_name', 'temperature', 'status', 'created_at', 'updated_at'] as const),
] as const

/** A person's own assistants, newest first. */
export function listOwn(db: Kysely<Tables>, userId: string, stretch: Stretch): Promise<ListedRow[]> {
  return listedIn(db, stretch).where('user_id', '=', userId).execute()
}

/** What others share in the companies of a person, newest first. */
export async function listShared(db: Kysely<Tables>, user: User, stretch: Stretch): Promise<ListedRow[]> {
  const companies = companyIds(user)
  if (companies.length === 0) return []
  return listedIn(db, stretch)
    .where('company_id', 'in', companies)
    .where('status', '=', 'published')
    .where('user_id', '!=', user.id)
    .execute()
}

function listedIn(db: Kysely<Tables>, { after, limit }: Stretch) {
  // Compared where it is stored: a date of JavaScript has lost its microseconds.
  const place = sql`(select created_at, id from assistants where id = ${after})`
  return db
    .selectFrom('assistants')
    .select(listedColumns)
    .$if(after !== null, (query) => query.where(sql<boolean>`(created_at, id) < ${place}`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
}

/** The newest published assistants of a person. */
export function findOwnPublished(db: Kysely<Tables>, userId: string, limit: number): Promise<AssistantRow[]> {
  return db
    .selectFrom('assistants')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', '=', 'published')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Assistants by their ids, in no order. */
export async function findRows(db: Kysely<Tables>, ids: string[]): Promise<AssistantRow[]> {
  if (ids.length === 0) return []
  return db.selectFrom('assistants').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

export function findRow(db: Kysely<Tables>, id: string): Promise<AssistantRow | undefined> {
  return db.selectFrom('assistants').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Stores a new assistant unless its owner has `most` of them; null then. Of two at once the second waits and counts both. */
export function insertAssistant(
  db: Kysely<Tables>,
  userId: string,
  { name, ...rest }: NewAssistant,
  companyId: string | null,
  most: number,
): Promise<AssistantRow | null> {
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
    const own = trx.selectFrom('assistants').where('user_id', '=', userId)
    const { count } = await own
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= most) return null
    return trx
      .insertInto('assistants')
      .values({ user_id: userId, company_id: companyId, name: cleanCharacters(name), ...toColumns(rest) })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

export function writeAssistant(
  db: Kysely<Tables>,
  id: string,
  changes: AssistantChanges,
  companyId: string | null | undefined,
  now: Date,
): Promise<AssistantRow> {
  return db
    .updateTable('assistants')
    .set({ ...toColumns(changes), company_id: companyId, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
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

function companyIds(user: User): string[] {
  return user.company_affiliations.map(({ company }) => company.id)
}
