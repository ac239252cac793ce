import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Maximum searched messages, the newest first, and maximum characters of each. */
const MAX_TEXTS = 20
const MAX_CHARACTERS = 100_000
const MAX_ADDRESSES = 500

/** Returns the user's own messages of a chat that contain a host name. Copied messages do not count: others have written them. */
export async function listWrittenTexts(db: Db, sessionId: string, host: string): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select left(content, ${MAX_CHARACTERS}) as text from messages
    where session_id = ${sessionId} and role = 'user' and not is_by_others and strpos(lower(content), ${host}) > 0
    order by created_at desc, id limit ${MAX_TEXTS}`.execute(db)
  return rows.map(({ text }) => text)
}

/**
 * Returns the pages on a host that a web search in the chat found, or that its provider cites. Results of other tools do not count: they
 * may repeat text that a model wrote. Nor do copied answers: the model of somebody else may cite anything.
 */
export async function listCitedAddresses(db: Db, sessionId: string, host: string): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select url from (
      select source ->> 'url' as url from messages m,
        jsonb_path_query(m.blocks, '$[*].sources[*]') source
        where m.session_id = ${sessionId} and m.role = 'assistant' and not m.is_by_others
      union all
      select source ->> 'url' from tool_executions e, jsonb_path_query(e.result::jsonb, '$.sources[*]') source
        where e.session_id = ${sessionId} and e.tool_id = 'web_search' and e.status = 'complete'
    ) cited
    where strpos(lower(url), ${host}) > 0
    order by url limit ${MAX_ADDRESSES}`.execute(db)
  return rows.map(({ url }) => url)
}
