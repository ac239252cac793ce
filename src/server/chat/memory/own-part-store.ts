import { type Kysely, sql } from 'kysely'
import { may, type Person } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { withoutPrompt } from './rules/without-prompt.ts'

type Db = Kysely<Tables>
type Said = {
  user_message_id: string
  question: string
  /** The run that answers the message; null before it begins, in the transaction that begins it. */
  run_id: string | null
}

/** Characters of a message that are compared with prompts, and the prompts it is compared with. */
const MAX_COMPARED = 6_000
const MAX_PROMPTS = 500

/**
 * Returns the part of a message from which facts may be learned: what the person wrote in it, without filled prompts. Empty for
 * messages of others, copied and imported ones, and those of schedules.
 */
export async function readOwnPart(db: Db, person: Person, said: Said): Promise<string> {
  if (!(await isOwnMessage(db, person, said))) return ''
  const content = said.question.slice(0, MAX_COMPARED).replace(/\r\n?/g, '\n')
  const { rows } = await sql<{ text: string }>`
    select p.text from prompts p
    where ${may(person, 'read prompt', 'p')} and strpos(${content}, btrim(split_part(p.text, '{{', 1), E' \\t\\r\\n')) > 0
    order by length(p.text) desc, p.id limit ${MAX_PROMPTS}`.execute(db)
  return rows.reduce((left, { text }) => withoutPrompt(left, text), content)
}

/** In a chat of somebody else, a message is of the person only when it was stored with the beginning of its reply. */
async function isOwnMessage(db: Db, person: Person, { user_message_id, run_id }: Said): Promise<boolean> {
  const { rows } = await sql`
    select from messages m join sessions s on s.id = m.session_id
    where m.id = ${user_message_id} and m.role = 'user' and not exists (select from slots where slots.message_id = m.id)
      and case when s.user_id = ${person.id} then not m.is_by_others
        else m.is_by_others and m.created_at >= coalesce((select created_at from runs where id = ${run_id}::uuid), now()) end`.execute(
    db,
  )
  return rows.length > 0
}
