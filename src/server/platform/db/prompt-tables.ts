import type { Generated } from 'kysely'
import type { PromptField } from '#shared/chat/prompts/fields.ts'
import type { PromptContent } from '#shared/chat/prompts/prompts.ts'
import type { CreatedAt, Json, OptionalJson, ShareColumns, Time } from './columns.ts'

/** Prompts with their versions and shares (migration 0346). */
export type PromptTables = {
  prompts: {
    id: Generated<string>
    user_id: string
    name: string
    command: string
    text: string
    fields: Json<PromptField[]>
    assistant_id: string | null
    model_name: string | null
    tools: OptionalJson
    documents: Json<string[]>
    version: Generated<number>
    created_at: CreatedAt
    updated_at: Time
  }
  prompt_versions: {
    prompt_id: string
    version: number
    saved_by: string | null
    returned_from: number | null
    changed: Json<(keyof PromptContent)[]>
    content: Json<PromptContent>
    created_at: CreatedAt
  }
  prompt_shares: ShareColumns & { prompt_id: string; access: Generated<'use' | 'edit'> }
}
