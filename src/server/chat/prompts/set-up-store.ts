import { sql } from 'kysely'
import type { PromptContent } from '#shared/chat/prompts/prompts.ts'
import type { AgentType } from '#shared/runs/runs/agent-type.ts'
import { may, type Person } from '../../platform/access/access.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Platform } from '../../platform/platform.ts'

/** The settings of a prompt for a chat, and the agent type of its assistant. */
export type Settings = Pick<PromptContent, 'assistant_id' | 'model_name' | 'tools' | 'documents'>
export type Usable = Settings & { agent_type: AgentType | null }

/** Gives an empty chat the settings. Returns false, and changes nothing, when it has messages. */
export async function setUpChat(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  sessionId: string,
  usable: Usable,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ is_empty: boolean }>`
      select not exists (select from messages m where m.session_id = s.id) as is_empty
      from sessions s where s.id = ${sessionId} for update`.execute(trx)
    if (!rows[0]?.is_empty) return false
    await sql`update sessions set model_name = coalesce(${usable.model_name}, model_name),
      session_metadata = session_metadata || ${toJson(metadataOf(usable))}::jsonb, updated_at = ${clock.now()}
      where id = ${sessionId}`.execute(trx)
    const links = usable.documents.map((document_id) => ({ session_id: sessionId, document_id }))
    if (links.length > 0)
      await trx
        .insertInto('session_documents')
        .values(links)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    return true
  })
}

const metadataOf = ({ assistant_id, agent_type, tools }: Usable) => ({
  ...(assistant_id && { assistant_id, agent_type }),
  ...(tools && { session_tools: tools }),
})

/** Returns those of these documents that a person may read. */
export async function findReadable(
  { db }: Pick<Platform, 'db'>,
  person: Person,
  ids: string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('documents')
    .select('id')
    .where('id', 'in', ids)
    .where(may(person, 'read document'))
    .orderBy('id')
    .limit(ids.length)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
