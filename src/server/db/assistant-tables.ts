import type { AssistantContent } from '#shared/assistants/versions.ts'
import type { CreatedAt, Json } from './columns.ts'

/** What assistants were, as `migrations/0070_assistant_versions.sql` has it. */
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
}
