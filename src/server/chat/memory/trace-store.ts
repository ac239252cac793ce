import { type Kysely, sql } from 'kysely'
import { type Belief, beliefParts } from '#shared/chat/beliefs/beliefs.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { FactScope } from './fact-store.ts'
import { isNumber, readWords } from './rules/fact-words.ts'
import { splitSentences } from './rules/own-words.ts'

type Db = Kysely<Tables>
type StoredBelief = { run_id: string; content: Belief }
type StoredSummary = { id: string; summary: string }

/** Rows read and rewritten per statement. */
const BATCH = 200

/** Removes facts from the summaries and working memories of a person's chats, and of a project's for a fact of one. */
export async function removeTraces(trx: Db, scope: FactScope, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await eachBelief(trx, scope, text, async (rows) => {
      for (const { run_id, content } of rows)
        await trx
          .updateTable('beliefs')
          .set({ content: toJson(withoutFact(content, text)) })
          .where('run_id', '=', run_id)
          .execute()
    })
    await eachSummary(trx, scope, text, async (rows) => {
      for (const { id, summary } of rows)
        await sql`update messages set metadata = jsonb_set(metadata, '{summary}', to_jsonb(${leaveOut(summary, text)}::text))
          where id = ${id}`.execute(trx)
    })
  }
}

/** Returns the numbers of summaries and working memories that contain a fact. */
export async function countTraces(
  db: Db,
  scope: FactScope,
  text: string,
): Promise<{ summaries: number; working_memories: number }> {
  let [summaries, working_memories] = [0, 0]
  await eachBelief(db, scope, text, async (rows) => {
    working_memories += rows.length
  })
  await eachSummary(db, scope, text, async (rows) => {
    summaries += rows.length
  })
  return { summaries, working_memories }
}

/** Returns whether a sentence says a fact: it has all words of it. */
export function says(sentence: string, fact: string): boolean {
  const wanted = readWords(fact).stems
  const spoken = new Set(readWords(sentence).stems)
  return wanted.length > 0 ? wanted.every((stem) => spoken.has(stem)) : sentence.trim() === fact.trim()
}

function withoutFact(content: Belief, fact: string): Belief {
  const left = beliefParts.map((part) => [part, content[part].filter(({ text }) => !says(text, fact))])
  return { ...content, ...Object.fromEntries(left) }
}

const leaveOut = (summary: string, fact: string): string =>
  summary
    .split('\n')
    .map((line) =>
      splitSentences(line)
        .filter((sentence) => !says(sentence, fact))
        .join(' '),
    )
    .join('\n')

/** Returns the condition that a chat `s` can contain a fact of the scope. */
const canContain = ({ userId, workspaceId }: FactScope) =>
  workspaceId === null ? sql<boolean>`s.user_id = ${userId}` : sql<boolean>`s.workspace_id = ${workspaceId}`

/** The beginning of the longest word of a fact, with which rows are searched. Numbers have two spellings, and words endings. */
function longestWord(fact: string): string {
  const words = fact.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const spelled = words.filter((word) => !isNumber(word))
  const longest = spelled.reduce((best, word) => (word.length > best.length ? word : best), '')
  return longest.slice(0, longest.length > 5 ? 5 : 3)
}

async function eachBelief(
  db: Db,
  scope: FactScope,
  text: string,
  handle: (rows: StoredBelief[]) => Promise<void>,
): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<StoredBelief>`
      select b.run_id, b.content from beliefs b
      join messages m on m.id = b.message_id join sessions s on s.id = m.session_id
      where ${canContain(scope)} and b.run_id > ${after}::uuid and strpos(lower(b.content::text), ${longestWord(text)}) > 0
      order by b.run_id limit ${BATCH}`.execute(db)
    const containing = rows.filter(({ content }) =>
      beliefParts.some((part) => content[part].some((entry) => says(entry.text, text))),
    )
    await handle(containing)
    if (rows.length < BATCH) return
    after = rows.at(-1)?.run_id ?? after
  }
}

async function eachSummary(
  db: Db,
  scope: FactScope,
  text: string,
  handle: (rows: StoredSummary[]) => Promise<void>,
): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<StoredSummary>`
      select m.id, m.metadata ->> 'summary' as summary from messages m join sessions s on s.id = m.session_id
      where ${canContain(scope)} and m.id > ${after}::uuid and m.metadata ? 'summary'
        and strpos(lower(m.metadata ->> 'summary'), ${longestWord(text)}) > 0
      order by m.id limit ${BATCH}`.execute(db)
    const containing = rows.filter(({ summary }) => splitSentences(summary).some((one) => says(one, text)))
    await handle(containing)
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? after
  }
}
