import type { Row } from './notification-store.ts'

/** Returns where a notification leads: an address inside the product, or the link of an announcement. */
export function pathOf(row: Row): string {
  switch (row.kind) {
    case 'reply_finished':
    case 'reply_failed':
      return `/chat/${row.session_id}`
    case 'question_waiting':
      return pathOfQuestion(row)
    case 'document_ready':
    case 'document_failed':
      return `/documents/${row.document_id}`
    case 'budget_warning':
    case 'budget_spent':
      return pathOfBudget(row)
    case 'item_shared':
      return pathOfItem(row)
    case 'announcement':
      return row.link ?? '/'
    default:
      return row.kind satisfies never
  }
}

function pathOfQuestion({ session_id, tool_id, tool_execution_id }: Row): string {
  if (session_id) return `/chat/${session_id}`
  if (!tool_id || !tool_execution_id) return '/inbox'
  return `/tools/${encodeURIComponent(tool_id)}?tried=${tool_execution_id}`
}

function pathOfBudget({ facts }: Row): string {
  if (facts.kind === 'user') return '/user/billing'
  if (facts.kind === 'key') return '/user/keys'
  return facts.kind === 'assistant' ? `/assistant/${facts.assistant_id}` : '/admin?page=budgets'
}

function pathOfItem({ assistant_id, prompt_id }: Row): string {
  if (assistant_id) return `/assistant/${assistant_id}`
  return prompt_id ? `/prompts/${prompt_id}` : '/tools'
}
