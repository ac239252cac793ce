import { sql } from 'kysely'
import type { TestApp } from './app.ts'
import type { TestUser } from './builders.ts'

type Shape = {
  chats: number
  /** Messages per chat; every second one is a reply with its own run. */
  messages: number
  /** SQL for the text of the `n`-th message. */
  content?: string
  /** Messages only, without runs, records and tool calls. */
  bare?: boolean
}

/** Inserts many or long chats in a few statements. Returns their ids; the last message of each is active. */
export async function longChats(
  { deps: { db } }: Pick<TestApp, 'deps'>,
  user: Pick<TestUser, 'id'>,
  { chats, messages, content = "'Message ' || n", bare = false }: Shape,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into sessions (user_id, title, status)
    select ${user.id}, 'Chat ' || n, 'COMPLETED' from generate_series(1, ${chats}) n returning id`.execute(db)
  const ids = rows.map(({ id }) => id)
  /** Returns the id of the n-th message of the session `s`: valid, and known before the insert. */
  const place = (n: string) =>
    sql.raw(`overlay(overlay(md5(s.id || '-' || ${n}) placing '4' from 13) placing '8' from 17)::uuid`)
  await sql`
    insert into messages (id, session_id, parent_id, role, content, created_at)
    select ${place('n')}, s.id, case when n > 1 then ${place('(n - 1)')} end,
      case n % 2 when 1 then 'user' else 'assistant' end, ${sql.raw(content)}, now() + n * interval '1 millisecond'
    from unnest(${ids}::uuid[]) as s (id), generate_series(1, ${messages}) n`.execute(db)
  await sql`
    update sessions s set active_leaf = ${place(`${messages}`)} where id = any(${ids}::uuid[])`.execute(db)
  if (bare) return ids
  await sql`
    insert into runs (id, user_id, session_id, user_message_id, message_id, agent_type, agent_version, state)
    select parent_id, ${user.id}, session_id, parent_id, id, 'multi_turn', 1, 'completed'
    from messages where session_id = any(${ids}::uuid[]) and role = 'assistant'`.execute(db)
  await sql`
    insert into run_records (run_id, position, key, kind, value, epoch)
    select runs.id, n, 'step' || n, 'step', '{"value":1,"events":[]}', 1
    from runs, generate_series(0, 3) n where session_id = any(${ids}::uuid[])`.execute(db)
  await sql`
    insert into tool_executions (id, run_id, user_id, session_id, tool_id, status)
    select id, id, user_id, session_id, 'calculator', 'completed'
    from runs where session_id = any(${ids}::uuid[])`.execute(db)
  await sql`
    insert into ledger_entries (user_id, kind, amount, session_id, run_id, step_key)
    select user_id, 'usage', -0.001, session_id, id, 'step1'
    from runs where session_id = any(${ids}::uuid[])`.execute(db)
  return ids
}
