import { type Kysely, sql } from 'kysely'
import { MAX_STORED_MESSAGES, SLOW_MS } from '#shared/tools/own-tools/mcp-health.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Heard } from '../../../platform/mcp/mcp.ts'

type Db = Kysely<Tables>

const HALF_HOUR_MS = 1_800_000
const DAY_MS = 86_400_000
const MAX_CHARACTERS = 500

/** Stores an exchange with a server; nothing if the server was deleted meanwhile. */
export async function writeHeard(db: Db, setId: string, heard: Heard, at: Date): Promise<void> {
  const { what, ms } = heard
  const name = cut(heard.name)
  const failure = heard.failure === null ? null : cut(heard.failure)
  await db.transaction().execute(async (trx) => {
    const set = trx.selectFrom('own_tool_sets').select('id').where('id', '=', setId).forKeyShare()
    if (!(await set.executeTakeFirst())) return
    await trx.insertInto('mcp_messages').values({ set_id: setId, at, what, name, ms, failure }).execute()
    await sql`delete from mcp_messages where set_id = ${setId} and id <= (
      select id from mcp_messages where set_id = ${setId} order by id desc offset ${MAX_STORED_MESSAGES} limit 1)`.execute(
      trx,
    )
    if (ms !== null) await writeState(trx, setId, { at, slow: what !== 'call' && ms >= SLOW_MS })
    else if (failure !== null) await writeState(trx, setId, { at, failure })
  })
}

type State = { at: Date } & ({ failure: string } | { slow: boolean })

async function writeState(trx: Db, setId: string, state: State): Promise<void> {
  const { at } = state
  const half = new Date(Math.floor(at.getTime() / HALF_HOUR_MS) * HALF_HOUR_MS)
  const [answers, slow, failures] = 'failure' in state ? [0, 0, 1] : [1, state.slow ? 1 : 0, 0]
  if ('failure' in state)
    await sql`insert into mcp_health (set_id, failed_at, failure) values (${setId}, ${at}, ${state.failure})
      on conflict (set_id) do update set answering_since = null, failed_at = excluded.failed_at,
        failure = excluded.failure`.execute(trx)
  else
    await sql`insert into mcp_health as h (set_id, answered_at, answering_since) values (${setId}, ${at}, ${at})
      on conflict (set_id) do update set answered_at = excluded.answered_at,
        answering_since = coalesce(h.answering_since, excluded.answering_since)`.execute(trx)
  await sql`insert into mcp_half_hours as h (set_id, at, answers, slow, failures)
    values (${setId}, ${half}, ${answers}, ${slow}, ${failures})
    on conflict (set_id, at) do update set answers = h.answers + excluded.answers, slow = h.slow + excluded.slow,
      failures = h.failures + excluded.failures`.execute(trx)
  await trx
    .deleteFrom('mcp_half_hours')
    .where('set_id', '=', setId)
    .where('at', '<', new Date(at.getTime() - 30 * DAY_MS))
    .execute()
}

export function findHealth(db: Db, setId: string) {
  return db
    .selectFrom('mcp_health')
    .select(['answered_at', 'answering_since', 'failed_at', 'failure'])
    .where('set_id', '=', setId)
    .executeTakeFirst()
}

/** Returns the newest first. */
export function listMessages(db: Db, setId: string) {
  return db
    .selectFrom('mcp_messages')
    .select(['at', 'what', 'name', 'ms', 'failure'])
    .where('set_id', '=', setId)
    .orderBy('id', 'desc')
    .limit(MAX_STORED_MESSAGES)
    .execute()
}

/** Returns the half hours of 30 days in which a server was used, oldest first. */
export function listHalfHours(db: Db, setId: string, now: Date) {
  return db
    .selectFrom('mcp_half_hours')
    .select(['at', 'answers', 'slow', 'failures'])
    .where('set_id', '=', setId)
    .where('at', '>', new Date(now.getTime() - 30 * DAY_MS))
    .orderBy('at')
    .limit(1_500)
    .execute()
}

const cut = (text: string): string => cleanCharacters(text).slice(0, MAX_CHARACTERS).toWellFormed()
