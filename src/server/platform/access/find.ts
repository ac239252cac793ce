import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Right } from '#shared/platform/http.ts'
import type { Tables } from '../db/tables.ts'
import type { Principal } from './principal.ts'
import { isPresent, may, type RowThing, splitWish, tables } from './rules.ts'

type Db = Kysely<Tables>
type Judgement = { is_readable: boolean; is_allowed: boolean }
/** A row together with the result of `judge`. */
export type Judged<Row = unknown> = Row & Judgement
type RowOf<T extends RowThing> = Selectable<Tables[(typeof tables)[T]]>

/**
 * Returns the thing with this id if the principal has the right named in the wish.
 * @throws AppError `not_found` for an unknown id, `forbidden` if the principal may not see or change the thing
 */
export async function findAllowed<T extends RowThing>(
  db: Db,
  principal: Principal,
  wish: `${Right} ${T}`,
  id: string,
): Promise<RowOf<T>> {
  const [, thing] = splitWish(wish)
  const { rows } = await sql<Judged<RowOf<T>>>`
    select t.*, ${judge(principal, wish, 't')}
    from ${sql.table(tables[thing])} t where t.id = ${id} and ${isPresent(thing, 't')}`.execute(db)
  return admit(rows[0], wish)
}

/** Builds the columns that state a principal's rights to a row, for `admit`. */
export function judge(
  principal: Principal,
  wish: `${Right} ${RowThing}`,
  alias: string,
): RawBuilder<unknown> {
  const [, thing] = splitWish(wish)
  return sql`${may(principal, `read ${thing}`, alias)} as is_readable, ${may(principal, wish, alias)} as is_allowed`
}

/** Returns a judged row without its judgement. @throws AppError as `findAllowed` does */
export function admit<Row>(row: Judged<Row> | undefined, wish: `${Right} ${keyof typeof names}`): Row {
  const name = names[splitWish(wish)[1]]
  if (!row) throw unknown(name)
  const { is_readable, is_allowed, ...rest } = row
  if (!is_readable) throw new AppError('forbidden', `You do not have access to this ${name}.`)
  if (!is_allowed) throw new AppError('forbidden', `You cannot change this ${name}.`)
  return rest as Row
}

/** Display names for error messages. */
const names = {
  ...{
    session: 'session',
    reply: 'session',
    message: 'message',
    checkpoint: 'checkpoint',
    assistant: 'assistant',
  },
  ...{ execution: 'tool execution', run: 'run', request: 'request', file: 'file', media: 'file' },
  ...{ document: 'document', upload: 'upload', workspace: 'workspace' },
  ...{ project: 'project', 'unmanaged-project': 'project' },
  ...{ invitation: 'invitation', connector: 'connector' },
  ...{ passkey: 'passkey', prompt: 'prompt', fact: 'fact' },
  ...{ tool: 'tool', 'tool-set': 'set of tools' },
  ...{ company: 'company', group: 'group', user: 'user', 'sign-in': 'sign-in', key: 'key' },
  webhook: 'webhook',
  announcement: 'announcement',
  ...{ 'member-key': 'key', 'member-webhook': 'webhook' },
  ...{ schedule: 'schedule', 'offered-schedule': 'schedule', 'member-schedule': 'schedule' },
  'deputy-question': 'question',
  approval: 'call',
  ...{ export: 'export', import: 'import', link: 'link' },
}

export function unknown(name: string): AppError {
  return new AppError('not_found', `${name[0]?.toUpperCase()}${name.slice(1)} not found`)
}
