import { type AliasedRawBuilder, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { PromptContent } from '#shared/chat/prompts/prompts.ts'
import type { Right } from '#shared/platform/http.ts'
import type { Audit } from '../../identity/audit/audit.ts'
import {
  admit,
  isPromptRecipient,
  type Judged,
  judge,
  may,
  type Person,
} from '../../platform/access/access.ts'
import { cleanCharacters, toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Facts = { can_edit: boolean; can_share: boolean; shared: boolean; shared_by: string | null }
/** A prompt as its reader sees it. */
export type PromptRow = Selectable<Tables['prompts']> & Facts
export type ListedRow = Facts &
  Pick<PromptRow, 'id' | 'user_id' | 'name' | 'command' | 'updated_at'> & {
    field_count: number
    beginning: string
  }

type Wanted = { q?: string | undefined; skip: number; limit: number }

/** Returns a page of the prompts that a person may use: own ones first, by name; with words the best matches first. */
export async function listPrompts(
  db: Db,
  person: Person,
  { q = '', skip, limit }: Wanted,
): Promise<{ rows: ListedRow[]; total: number }> {
  const words = q.replace(/^\//, '')
  const readable = db.selectFrom('prompts').where(may(person, 'read prompt'))
  const found = words === '' ? readable : readable.where(matches(words))
  const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .select(['id', 'user_id', 'name', 'command', 'updated_at'])
    .select([
      sql<number>`jsonb_array_length(fields)`.as('field_count'),
      sql<string>`left(text, 300)`.as('beginning'),
      ...factsFor(person, 'prompts'),
    ])
    .orderBy(rank(words))
    .orderBy(sql`user_id <> ${person.id}`)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .offset(skip)
    .limit(limit)
    .execute()
  return { rows, total }
}

/** Compares without case and accents. */
const plain = (text: RawBuilder<unknown>) =>
  sql<string>`regexp_replace(normalize(lower(${text}), NFD), '[\u0300-\u036f]', '', 'g')`
const name = plain(sql.ref('name'))
const command = plain(sql.ref('command'))

function matches(words: string): RawBuilder<boolean> {
  const wanted = plain(sql`${words}::text`)
  return sql<boolean>`(strpos(${command}, ${wanted}) > 0 or strpos(${name}, ${wanted}) > 0)`
}

/** Commands that begin with the words, then names, then commands and names with the words inside. */
function rank(words: string): RawBuilder<number> {
  if (words === '') return sql<number>`0::int + 0`
  const wanted = plain(sql`${words}::text`)
  return sql<number>`case when ${command} = ${wanted} then 0 when strpos(${command}, ${wanted}) = 1 then 1
    when strpos(${name}, ${wanted}) = 1 then 2 else 3 end`
}

const nameOf = (person: string) =>
  sql`coalesce(nullif(trim(${sql.ref(`${person}.full_name`)}), ''), ${sql.ref(`${person}.username`)})`

type FactColumns = { [K in keyof Facts]: AliasedRawBuilder<Facts[K], K> }[keyof Facts][]

function factsFor(person: Person, alias: string): FactColumns {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return [
    may(person, 'write prompt', alias).as('can_edit'),
    may(person, 'manage prompt', alias).as('can_share'),
    sql<boolean>`exists (select from prompt_shares share where share.prompt_id = ${column('id')})`.as(
      'shared',
    ),
    sql<string | null>`case when ${column('user_id')} <> ${person.id} then (
      select ${nameOf('sharer')} from prompt_shares share
      join users sharer on sharer.id = coalesce(share.shared_by, ${column('user_id')})
      where share.prompt_id = ${column('id')} and ${isPromptRecipient(person, column('user_id'))}
      order by share.created_at, share.id limit 1) end`.as('shared_by'),
  ]
}

/** Returns one prompt. @throws AppError `not_found`, `forbidden` */
export async function findPrompt(db: Db, person: Person, right: Right, id: string): Promise<PromptRow> {
  const { rows } = await sql<Judged<PromptRow>>`
    select p.*, ${sql.join(factsFor(person, 'p'))}, ${judge(person, `${right} prompt`, 'p')}
    from prompts p where id = ${id}`.execute(db)
  return admit(rows[0], `${right} prompt`)
}

/** Reads a prompt just stored, even if the save ended the person's access. */
export async function readPrompt(trx: Db, person: Person, id: string): Promise<PromptRow> {
  const { rows } = await sql<PromptRow>`
    select p.*, ${sql.join(factsFor(person, 'p'))} from prompts p where id = ${id}`.execute(trx)
  return rows[0]!
}

/** Returns the prompts with these ids that a person may use, or all of their own; at most `limit`, by name. */
export function readPrompts(db: Db, person: Person, ids: string[] | null, limit: number) {
  return db
    .selectFrom('prompts')
    .selectAll()
    .where(may(person, 'read prompt'))
    .$if(ids !== null, (query) => query.where('id', 'in', ids ?? []))
    .$if(ids === null, (query) => query.where('user_id', '=', person.id))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Locks a person's prompts for a save. Returns their commands in lower case, by prompt id. */
export async function lockCommands(trx: Db, userId: string): Promise<Map<string, string>> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  const rows = await trx
    .selectFrom('prompts')
    .select(['id', sql<string>`lower(command)`.as('command')])
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(100_000)
    .execute()
  return new Map(rows.map(({ id, command }) => [id, command]))
}

/** Returns a prompt and locks it for a save. */
export async function lockPrompt(trx: Db, id: string) {
  return trx.selectFrom('prompts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function insertPrompt(trx: Db, userId: string, content: PromptContent) {
  return trx
    .insertInto('prompts')
    .values({ user_id: userId, ...toColumns(content) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updatePrompt(trx: Db, id: string, content: PromptContent, version: number, now: Date) {
  return trx
    .updateTable('prompts')
    .set({ ...toColumns(content), version, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function removePrompt(db: Db, id: string, audit: Audit): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx.deleteFrom('prompts').where('id', '=', id).returning('name').executeTakeFirst()
    if (row) await audit(trx, { did: 'prompt.removed', subject: row.name, subjectId: id })
  })
}

function toColumns({ fields, tools, documents, name, command, text, ...rest }: PromptContent) {
  return {
    ...rest,
    ...{ name: cleanCharacters(name), command: cleanCharacters(command), text: cleanCharacters(text) },
    fields: toJson(fields),
    tools: tools === null ? null : toJson(tools),
    documents: toJson(documents),
  }
}
