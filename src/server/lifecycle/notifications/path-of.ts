import type { NotificationKind } from '#shared/lifecycle/notifications/kinds.ts'
import type { Notification } from '#shared/lifecycle/notifications/notifications.ts'

/** The ids of a stored notification that say where it leads. */
export type Placed = {
  kind: NotificationKind
  link: string | null
  session_id: string | null
  document_id: string | null
  assistant_id: string | null
  prompt_id: string | null
  schedule_id: string | null
  slot_id: string | null
  connector_id: string | null
  message_id: string | null
  tool_id: string | null
  tool_execution_id: string | null
  facts:
    | (NonNullable<Notification['budget']> & {
        name: string | null
        assistant_id: string | null
        workspace_id?: string | null
      })
    | Record<string, never>
}

/** Returns where a notification leads: an address inside the product, or the link of an announcement. */
export function pathOf(row: Placed): string {
  switch (row.kind) {
    case 'reply_finished':
    case 'reply_failed':
    case 'reply_unsent':
    case 'mentioned':
    case 'schedule_changed':
      return pathOfChat(row)
    case 'question_waiting':
      return pathOfQuestion(row)
    case 'document_ready':
    case 'document_failed':
      return `/documents/${row.document_id}`
    case 'budget_warning':
    case 'budget_spent':
      return pathOfBudget(row)
    case 'schedule_failed':
    case 'schedule_stopped':
    case 'reminder':
      return `/schedules/${row.schedule_id}${row.slot_id ? `?slot=${row.slot_id}` : ''}`
    case 'schedule_offered':
      return '/schedules'
    case 'connector_asks':
    case 'connector_signed_out':
      return `/connectors/${row.connector_id}`
    case 'deputy_asked':
      return '/inbox'
    case 'item_shared':
      return pathOfItem(row)
    case 'announcement':
      return row.link ?? '/'
    default:
      return row.kind satisfies never
  }
}

/** The chat opens at the message. */
function pathOfChat({ session_id, message_id }: Placed): string {
  return `/chat/${session_id}${message_id ? `?message=${message_id}` : ''}`
}

function pathOfQuestion(row: Placed): string {
  const { session_id, tool_id, tool_execution_id } = row
  if (session_id) return pathOfChat(row)
  if (!tool_id || !tool_execution_id) return '/inbox'
  return `/tools/${encodeURIComponent(tool_id)}?tried=${tool_execution_id}`
}

function pathOfBudget({ facts }: Placed): string {
  if (facts.kind === 'user') return '/user/billing'
  if (facts.kind === 'key') return '/user/keys'
  if (facts.kind === 'project') return `/project/${facts.workspace_id}`
  return facts.kind === 'assistant' ? `/assistant/${facts.assistant_id}` : '/admin?page=budgets'
}

function pathOfItem({ assistant_id, prompt_id }: Placed): string {
  if (assistant_id) return `/assistant/${assistant_id}`
  return prompt_id ? `/prompts/${prompt_id}` : '/tools'
}
