import type { Assistant, ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import type { AssistantRow, ListedRow } from './store.ts'

/** Converts an assistant to its wire format for this user. */
export function toAssistant(row: AssistantRow, user: { id: string }): Assistant
export function toAssistant(row: ListedRow, user: { id: string }): ListedAssistant
export function toAssistant(row: ListedRow, user: { id: string }): ListedAssistant {
  const {
    user_id,
    created_at,
    updated_at,
    is_by_others: _,
    ...fields
  }: ListedRow & { is_by_others?: boolean } = row
  const isForEditors = 'shares' in row && !row.can_edit ? { shares: [] } : {}
  return {
    ...(fields as unknown as ListedAssistant),
    ...isForEditors,
    ...{ own: user_id === user.id, built_in: false },
    ...{ created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
  }
}
