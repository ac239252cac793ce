import type { AssistantContent } from '#shared/chat/assistants/versions.ts'
import type { CreatedAt, Json, ShareColumns, Time } from './columns.ts'

/** Versions and shares of assistants (migrations 0070, 0170, 0171). */
export type AssistantTables = {
  assistant_versions: {
    assistant_id: string
    version: number
    saved_by: string | null
    returned_from: number | null
    changed: Json<(keyof AssistantContent)[]>
    content: Json<AssistantContent>
    created_at: CreatedAt
  }
  assistant_tries: {
    session_id: string
    user_id: string
    assistant_id: string | null
    content: Json<AssistantContent>
    updated_at: Time
  }
  assistant_shares: ShareColumns & { assistant_id: string; access: 'use' | 'edit' }
}
