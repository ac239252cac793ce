import type { ListedPrompt, Prompt } from '#shared/chat/prompts/prompts.ts'
import type { ListedRow, PromptRow } from './store.ts'

/** Returns a prompt as its reader sees it. */
export function toPrompt(row: PromptRow, user: { id: string }): Prompt {
  const { user_id, created_at: _, updated_at, tools, ...fields } = row
  return {
    ...fields,
    tools: tools as string[] | null,
    own: user_id === user.id,
    updated_at: updated_at.toISOString(),
  }
}

/** Returns an entry of a list. */
export function toListedPrompt(row: ListedRow, user: { id: string }): ListedPrompt {
  const { user_id, updated_at, ...fields } = row
  return { ...fields, own: user_id === user.id, updated_at: updated_at.toISOString() }
}
