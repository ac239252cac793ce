import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { ContextUse } from '#shared/chat/context-use/context-use.ts'
import { withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import type { Database } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'

/** The data about a message that the context window needs. */
export type PathMessage = {
  id: string
  role: 'user' | 'assistant'
  /** UTF-8 bytes. A text never has more tokens than this. */
  bytes: number
  /** Stored summary up to and including this message. */
  summary: string | null
  /** A person asked for this summary, so later prompts begin after it. */
  is_compacted: boolean
  created_at: Date
}

/** Loads the messages from the root to `leafId` without their text. A path never changes. */
export async function loadPath(db: Database, leafId: string): Promise<PathMessage[]> {
  const { rows } = await sql<PathMessage>`
    with recursive path as (
      select id, parent_id, 0 as depth from messages where id = ${leafId}
      union all
      select parent.id, parent.parent_id, depth + 1 from path join messages parent on parent.id = path.parent_id
    )
    select m.id, m.role, octet_length(m.content) as bytes, m.metadata ->> 'summary' as summary,
      m.metadata ? 'compaction' as is_compacted,
      m.created_at
    from path join messages m on m.id = path.id
    order by path.depth desc`.execute(db)
  return rows
}

/** Loads message texts by id, without citation markers, which are meaningless in another turn. */
export async function loadTexts(db: Database, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'content'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, content }) => [id, withoutCitations(content)]))
}

/** Returns what the person added while replies were written, by the id of the reply. */
export async function loadSteering(db: Database, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; text: string }>`
    select m.id, string_agg(block.value ->> 'text', E'\n\n' order by block.at) as text
    from messages m cross join lateral jsonb_array_elements(m.blocks) with ordinality as block (value, at)
    where m.id = any(${ids}::uuid[]) and block.value ->> 'type' = 'steering'
    group by m.id order by m.id`.execute(db)
  return new Map(rows.map(({ id, text }) => [id, text]))
}

/** Stores the summary of everything up to a message with that message. */
export async function keepSummary(trx: Kysely<Tables>, messageId: string, summary: string): Promise<void> {
  const entry = JSON.stringify({ summary })
  await sql`update messages set metadata = metadata || ${entry}::jsonb where id = ${messageId}`.execute(trx)
}

/** Stores the parts of the last prompt of a reply with it. */
export async function keepContextUse(trx: Kysely<Tables>, messageId: string, use: ContextUse): Promise<void> {
  const entry = JSON.stringify({ context_use: use })
  await sql`update messages set metadata = metadata || ${entry}::jsonb where id = ${messageId}`.execute(trx)
}

/** A finished tool call or an answered question of an earlier reply. `input` and `result` are the beginnings of their JSON text. */
export type EarlierCall = {
  message_id: string
  id: string
  tool_id: string
  input: string | null
  result: string | null
  /** Null when the call succeeded. */
  error: string | null
}

/** Results whose answer is read from the JSON, which must be whole. */
const READ_WHOLE = 100_000
/** Maximum large results read in full per turn, newest first. Older ones are reduced to a preview. */
const MAX_LARGE = 60

/** Results whose passages and pages are numbered for their own turn. */
export const CITING_TOOLS = ['document_search', 'text_compressor', 'web_search']

/**
 * Loads the finished calls of replies in the order of their blocks, with the questions that the person answered in a form as calls of
 * `ask_person`. `most` limits characters.
 */
export async function loadCalls(
  db: Database,
  messageIds: string[],
  most: { input: number; result: number },
): Promise<EarlierCall[]> {
  if (messageIds.length === 0) return []
  const { rows } = await sql<EarlierCall>`
    with blocks as materialized (
      select m.id as message_id, m.created_at, block.at, block.value,
        block.value ->> 'type' = 'tool' as is_call, block.value ? 'result_ref' as is_large
      from messages m cross join lateral jsonb_array_elements(m.blocks) with ordinality as block (value, at)
      where m.id = any(${messageIds}::uuid[]) and (
        (block.value ->> 'type' = 'tool' and block.value ->> 'status' in ('complete', 'failed', 'error')
          and block.value ->> 'id' ~ '^[0-9a-f-]{36}$')
        or (block.value ->> 'type' = 'input_required' and block.value ->> 'state' = 'provided'
          and coalesce(block.value ->> 'kind', 'question') = 'question' and not block.value ? 'tool'))
    ), calls as materialized (
      select blocks.*, row_number() over (partition by is_large order by created_at desc, at desc) as place,
        case when is_call then value ->> 'id' else md5(value ->> 'id') end as id,
        case when is_call then value ->> 'tool_id' else 'ask_person' end as tool_id,
        case when is_call then value -> 'input' else jsonb_build_object('prompt', value -> 'prompt') end as input,
        case when is_call then value -> 'result' else value -> 'input' end as result
      from blocks
    )
    select message_id, calls.id, calls.tool_id, left(coalesce(e.input::text, calls.input::text), ${most.input}) as input,
      left(coalesce(e.result::text, value -> 'result_ref' ->> 'preview', calls.result::text),
        case when calls.tool_id = any(${CITING_TOOLS}) then ${READ_WHOLE}::int else ${most.result}::int end) as result,
      case when not is_call or value ->> 'status' = 'complete' then null
        else coalesce(value ->> 'error', 'It failed.') end as error
    from calls left join tool_executions e
      on e.id = case when is_call then calls.id::uuid end and (place <= ${MAX_LARGE} or not is_large)
    order by message_id, at`.execute(db)
  return rows
}
