import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { AssistantContent } from '#shared/chat/assistants/versions.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { findTriedContent } from './tried-store.ts'

/** Returns the draft a chat tries as an assistant, or null. A never saved draft gets the chat's id. */
export async function findTried(
  { db }: Pick<Platform, 'db'>,
  user: Caller,
  sessionId: string,
): Promise<Assistant | null> {
  const row = await findTriedContent(db, user.id, sessionId)
  const content = AssistantContent.safeParse(row?.content)
  if (!row || !content.success) return null
  const { documents, tools } = content.data
  return {
    ...{ ...content.data, id: row.assistant_id ?? sessionId, status: 'draft', shared: false },
    ...{ own: true, built_in: false, can_edit: false, can_share: false, can_hand_over: false },
    ...{ shared_by: null, shares: [], version: 0, created_at: null, updated_at: null },
    ...{ document_count: documents.length, tool_count: tools?.length ?? null },
  }
}
