import type { MailQuestion } from '#shared/lifecycle/notifications/mail-answers.ts'
import { MAIL_ANSWER_DAYS } from '#shared/lifecycle/notifications/mail-answers.ts'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { fieldsOf } from '#shared/runs/runs/request.ts'

/** Answers offered by a mail. */
const MAX_OPTIONS = 20
const DAY_MS = 86_400_000

type Asked = Pick<MailQuestion, 'type' | 'options'>

/**
 * Returns the answers of a yes/no or choice question; null for any other request. Approvals of tool calls are no such question, because
 * a mail does not show the call.
 */
export function answersOf(request: InputRequiredBlock): Asked | null {
  if (request.kind !== undefined && request.kind !== 'question') return null
  const [field, ...more] = fieldsOf(request) ?? []
  if (!field || more.length > 0) return null
  if (field.type === 'boolean') return { type: 'boolean', options: [] }
  const options = field.type === 'choice' ? (field.options ?? []) : []
  return options.length > 0 && options.length <= MAX_OPTIONS ? { type: 'choice', options } : null
}

/** Returns the time until which a mail of now can answer. */
export function endOfAnswering(now: Date, deadline: Date | null): Date {
  const end = new Date(now.getTime() + MAIL_ANSWER_DAYS * DAY_MS)
  return deadline && deadline < end ? deadline : end
}
