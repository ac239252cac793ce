import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Belief, beliefParts } from '#shared/chat/beliefs/beliefs.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { FactScope } from './fact-store.ts'
import { isNumber, readWords } from './rules/fact-words.ts'
import { splitSentences } from './rules/own-words.ts'

type Db = Kysely<Tables>
type StoredBelief = { run_id: string; content: Belief }
type StoredSummary = { id: string; summary: string; compaction: string | null }

/** The chats that can contain facts: those of the scope, of the person who told them, and those where they were learned. */
type Place = FactScope & { sessionIds: readonly string[] }
type Wanted = { text: string; stems: readonly string[] }

/** Rows per statement. Their sentences are compared without a pause, which takes a few milliseconds per fact. */
const BATCH = 25
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Removes facts from summaries and working memories, in every chat that can contain them. */
export async function removeTraces(trx: Db, place: Place, texts: readonly string[]): Promise<void> {
  const facts = texts.map(readFact)
  await eachBelief(trx, place, facts, async ({ run_id, content }) => {
    await trx
      .updateTable('beliefs')
      .set({ content: toJson(withoutFacts(content, facts)) })
      .where('run_id', '=', run_id)
      .execute()
  })
  await eachSummary(trx, place, facts, async ({ id, summary, compaction }) => {
    const left = {
      summary: leaveOut(summary, facts),
      ...(compaction !== null && { compaction: leaveOut(compaction, facts) }),
    }
    await sql`update messages set metadata = metadata || ${JSON.stringify(left)}::jsonb where id = ${id}`.execute(
      trx,
    )
  })
}

/** Returns the numbers of summaries and working memories that contain a fact. */
export async function countTraces(
  db: Db,
  place: Place,
  text: string,
): Promise<{ summaries: number; working_memories: number }> {
  let [summaries, working_memories] = [0, 0]
  await eachBelief(db, place, [readFact(text)], async () => {
    working_memories += 1
  })
  await eachSummary(db, place, [readFact(text)], async () => {
    summaries += 1
  })
  return { summaries, working_memories }
}

const readFact = (text: string): Wanted => ({ text: text.trim(), stems: readWords(text).stems })

/** Returns whether a sentence says one of the facts: it has all words of it. */
function says(sentence: string, facts: readonly Wanted[]): boolean {
  const spoken = new Set(readWords(sentence).stems)
  return facts.some(({ text, stems }) =>
    stems.length > 0 ? stems.every((stem) => spoken.has(stem)) : sentence.trim() === text,
  )
}

function withoutFacts(content: Belief, facts: readonly Wanted[]): Belief {
  const left = beliefParts.map((part) => [part, content[part].filter(({ text }) => !says(text, facts))])
  return { ...content, ...Object.fromEntries(left) }
}

const leaveOut = (summary: string, facts: readonly Wanted[]): string =>
  summary
    .split('\n')
    .map((line) =>
      splitSentences(line)
        .filter((sentence) => !says(sentence, facts))
        .join(' '),
    )
    .join('\n')

/** Returns the condition that a chat `s` can contain facts of the place. */
const canContain = ({ userId, workspaceId, sessionIds }: Place) =>
  sql<boolean>`(s.user_id = ${userId} or s.workspace_id = ${workspaceId}::uuid or s.id = any(${[...sessionIds]}::uuid[]))`

/** Returns the condition that a text can contain one of the facts. */
const mayHave = (text: RawBuilder<string>, facts: readonly Wanted[]) =>
  sql<boolean>`exists (select from unnest(${facts.map(longestWord)}::text[]) word where strpos(lower(${text}), word) > 0)`

/** The beginning of the longest word of a fact. Numbers have two spellings, and words endings. */
function longestWord({ text }: Wanted): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const spelled = words.filter((word) => !isNumber(word))
  const longest = spelled.reduce((best, word) => (word.length > best.length ? word : best), '')
  return longest.slice(0, longest.length > 5 ? 5 : 3)
}

/** Locks rows that a transaction is about to change, because two deletions may change the same one. */
const locking = (db: Db, rows: RawBuilder<unknown>) =>
  db.isTransaction ? sql`for no key update of ${rows}` : sql``

/** Reads the working memories that contain one of the facts. */
async function eachBelief(
  db: Db,
  place: Place,
  facts: readonly Wanted[],
  handle: (row: StoredBelief) => Promise<void>,
): Promise<void> {
  for (let after = FIRST; ; ) {
    const { rows } = await sql<StoredBelief>`
      select b.run_id, b.content from beliefs b
      join messages m on m.id = b.message_id join sessions s on s.id = m.session_id
      where ${canContain(place)} and b.run_id > ${after}::uuid and ${mayHave(sql`b.content::text`, facts)}
      order by b.run_id limit ${BATCH} ${locking(db, sql`b`)}`.execute(db)
    for (const row of rows)
      if (beliefParts.some((part) => row.content[part].some(({ text }) => says(text, facts))))
        await handle(row)
    if (rows.length < BATCH) return
    after = rows.at(-1)?.run_id ?? after
  }
}

/** Does the same for summaries. */
async function eachSummary(
  db: Db,
  place: Place,
  facts: readonly Wanted[],
  handle: (row: StoredSummary) => Promise<void>,
): Promise<void> {
  for (let after = FIRST; ; ) {
    const { rows } = await sql<StoredSummary>`
      select m.id, m.metadata ->> 'summary' as summary, m.metadata ->> 'compaction' as compaction
      from messages m join sessions s on s.id = m.session_id
      where ${canContain(place)} and m.id > ${after}::uuid and m.metadata ? 'summary'
        and ${mayHave(sql`m.metadata ->> 'summary'`, facts)}
      order by m.id limit ${BATCH} ${locking(db, sql`m`)}`.execute(db)
    for (const row of rows)
      if (splitSentences(row.summary).some((sentence) => says(sentence, facts))) await handle(row)
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? after
  }
}
