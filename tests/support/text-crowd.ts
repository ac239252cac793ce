import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../src/server/platform/db/tables.ts'

/** Stores messages in each chat of a person, half of them replies of some sentences. Indexes them together, which is quicker. */
export async function fillMessages(db: Kysely<Tables>, userId: string, perChat: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`alter table messages disable trigger user`.execute(trx)
    await sql`
      insert into messages (session_id, role, content, created_at)
      select s.id, case n % 2 when 0 then 'user' else 'assistant' end,
        'The ' || s.title || ' of the supplier has a notice period of ' || n || ' months, number ' || (random() * 100000)::int
          || case n % 2 when 0 then '?' else repeat(' It describes the rent, the deposit and the works of the building in '
          || (array['Lyon', 'Paris', 'Berlin', 'Lisbonne', 'Nantes'])[1 + (random() * 4)::int] || '.', 5) end,
        s.updated_at + n * interval '1 minute'
      from sessions s, generate_series(1, ${perChat}::int) n where s.user_id = ${userId}`.execute(trx)
    await sql`alter table messages enable trigger user`.execute(trx)
    await sql`drop index search_texts_words`.execute(trx)
    await sql`
      insert into search_texts (kind, id, piece, parent_id, owner, at, words)
      select 'message', m.id, p.piece, m.session_id, s.user_id, m.created_at, p.words || array_to_tsvector(array['message:' || s.user_id])
      from sessions s join messages m on m.session_id = s.id cross join lateral search_pieces(m.content) p
      where s.user_id = ${userId}`.execute(trx)
    await sql`create index search_texts_words on search_texts using gin (words)`.execute(trx)
  })
}
