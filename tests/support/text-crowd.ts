import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../src/server/platform/db/tables.ts'

/** Stores messages in each chat of a person, half of them replies of some sentences. */
export async function fillMessages(db: Kysely<Tables>, userId: string, perChat: number): Promise<void> {
  await sql`
    insert into messages (session_id, role, content, created_at)
    select s.id, case n % 2 when 0 then 'user' else 'assistant' end,
      'The ' || s.title || ' of the supplier has a notice period of ' || n || ' months, number ' || (random() * 100000)::int
        || case n % 2 when 0 then '?' else repeat(' It describes the rent, the deposit and the works of the building in '
        || (array['Lyon', 'Paris', 'Berlin', 'Lisbonne', 'Nantes'])[1 + (random() * 4)::int] || '.', 5) end,
      s.updated_at + n * interval '1 minute'
    from sessions s, generate_series(1, ${perChat}::int) n where s.user_id = ${userId}`.execute(db)
}
