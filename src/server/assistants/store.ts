import type { Kysely, Selectable } from 'kysely'
import type { User } from '#shared/accounts/accounts.ts'
import type { Assistant, AssistantChanges, NewAssistant } from '#shared/assistants/assistants.ts'
import { cleanCharacters, toJson } from '../db/db.ts'
import type { Tables } from '../db/tables.ts'

export type AssistantRow = Selectable<Tables['assistants']>

const MOST = 500

/** Own assistants and those shared in a company of the caller's, newest first. */
export async function findUsable(db: Kysely<Tables>, user: User): Promise<AssistantRow[]> {
  const companies = user.company_affiliations.map(({ company }) => company.id)
  return db
    .selectFrom('assistants')
    .selectAll()
    .where((row) =>
      row.or([
        row('user_id', '=', user.id),
        ...(companies.length > 0 ? [row('company_id', 'in', companies).and('status', '=', 'published')] : []),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MOST)
    .execute()
}

export function findRow(db: Kysely<Tables>, id: string): Promise<AssistantRow | undefined> {
  return db.selectFrom('assistants').selectAll().where('id', '=', id).executeTakeFirst()
}

export function insertAssistant(
  db: Kysely<Tables>,
  user: User,
  { name, ...rest }: NewAssistant,
): Promise<AssistantRow> {
  return db
    .insertInto('assistants')
    .values({ user_id: user.id, name: cleanCharacters(name), ...toColumns(user, rest) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function writeAssistant(
  db: Kysely<Tables>,
  user: User,
  id: string,
  changes: AssistantChanges,
  now: Date,
): Promise<AssistantRow> {
  return db
    .updateTable('assistants')
    .set({ ...toColumns(user, changes), updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The policies of its tools go with it. */
export async function removeAssistant(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('assistants').where('id', '=', id).execute()
  await db.deleteFrom('tool_policies').where('assistant_id', '=', id).execute()
}

function toColumns(user: User, { shared, example_prompts, documents, tools, ...plain }: AssistantChanges) {
  const texts = Object.entries(plain).map(([name, value]) => {
    return [name, typeof value === 'string' ? cleanCharacters(value) : value]
  })
  return {
    ...(Object.fromEntries(texts) as typeof plain),
    ...(shared === undefined
      ? {}
      : { company_id: shared ? (user.company_affiliations[0]?.company.id ?? null) : null }),
    ...(example_prompts ? { example_prompts: toJson(example_prompts) } : {}),
    ...(documents ? { documents: toJson(documents) } : {}),
    ...(tools === undefined ? {} : { tools: tools === null ? null : toJson(tools) }),
  }
}

/** An assistant as it goes over the wire to this person. */
export function toAssistant(row: AssistantRow, user: User): Assistant {
  const { user_id: _owner, company_id, created_at, updated_at, ...fields } = row
  return {
    ...(fields as unknown as Assistant),
    ...{ shared: company_id !== null, built_in: false, can_edit: mayEdit(row, user) },
    ...{ created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
  }
}

/** Its owner, and who administers the company it is shared in. */
export function mayEdit({ user_id, company_id }: AssistantRow, user: User): boolean {
  if (user_id === user.id) return true
  return user.company_affiliations.some(
    ({ company, role }) => company.id === company_id && role.name !== 'member',
  )
}

export function mayUse(row: AssistantRow, user: User): boolean {
  const isColleague = user.company_affiliations.some(({ company }) => company.id === row.company_id)
  return row.user_id === user.id || (isColleague && row.status === 'published') || mayEdit(row, user)
}
