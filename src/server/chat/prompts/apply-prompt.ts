import { sql } from 'kysely'
import type { LeftOut } from '#shared/chat/prompts/prompts.ts'
import { AppError } from '#shared/platform/errors.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { findPrompt } from './store.ts'
import { findUsable, type Usable } from './usable-settings.ts'
import { contentOf } from './version-store.ts'

type Wish = { sessionId: string; promptId: string }

/**
 * Sets up an empty chat with the settings of a prompt. Settings that the prompt leaves open stay. @throws AppError `conflict` for a
 * chat with messages, `not_found`, `forbidden`
 */
export async function applyPrompt(
  deps: Deps,
  user: Caller,
  { sessionId, promptId }: Wish,
): Promise<{ left_out: LeftOut }> {
  const content = contentOf(await findPrompt(deps.db, user, 'read', promptId))
  const { usable, leftOut } = await findUsable(deps, user, content)
  await deps.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ is_empty: boolean }>`
      select not exists (select from messages m where m.session_id = s.id) as is_empty
      from sessions s where s.id = ${sessionId} for update`.execute(trx)
    if (!rows[0]?.is_empty)
      throw new AppError('conflict', 'A prompt sets up a new chat only. This one has messages.')
    await sql`update sessions set model_name = coalesce(${usable.model_name}, model_name),
      session_metadata = session_metadata || ${toJson(metadataOf(usable))}::jsonb, updated_at = ${deps.clock.now()}
      where id = ${sessionId}`.execute(trx)
    if (usable.documents.length === 0) return
    await trx
      .insertInto('session_documents')
      .values(usable.documents.map((document_id) => ({ session_id: sessionId, document_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  return { left_out: leftOut }
}

const metadataOf = ({ assistant_id, agent_type, tools }: Usable) => ({
  ...(assistant_id && { assistant_id, agent_type }),
  ...(tools && { session_tools: tools }),
})
