import { plainOf } from '#shared/chat/sessions/preview.ts'
import type { InputRequest } from '#shared/runs/input-requests/input-requests.ts'
import type { PausedBlock } from '#shared/runs/runs/blocks.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../platform/i18n/tool-words.ts'
import { afterStep, requestWords } from '../../runs/input-requests/input-requests.tsx'
import { titleOf as titleOfSession } from '../../runs/sessions/sessions.ts'

/** Returns where a request was asked: the title of its chat, or the tool that a person executed or that another person's call is for. */
export function titleOf(
  { session_id, session_title, asked_by, request }: InputRequest,
  t: TFunction,
): string {
  const tool = toolOf(request)
  if (asked_by !== null && tool) return nameOfTool(t, tool)
  if (!session_id && tool) return t('common:inbox.tried', { tool: nameOfTool(t, tool) })
  return titleOfSession({ id: session_id ?? '', title: session_title ?? '' }, t)
}

type Page = { to: string; search: Record<string, string> }

/** Returns the page where a request was asked: its chat, or the page of the executed tool; null without either. */
export function pageOf({ session_id, asked_by, request }: InputRequest): Page | null {
  const tool = toolOf(request)
  if (asked_by !== null) return null
  if (session_id) return { to: `/chat/${session_id}`, search: {} }
  if (!tool) return null
  return { to: `/tools/${encodeURIComponent(tool.tool_id)}`, search: { tried: tool.tool_execution_id } }
}

const toolOf = (request: InputRequest['request']) => (request.type === 'paused' ? undefined : request.tool)

/** Returns who waits and at which step. */
export function placeOf({ assistant_name, session_id, request }: InputRequest, t: TFunction): string {
  if (request.type === 'paused') return assistant_name ?? ''
  const asking = session_id && request.kind === 'question' && request.tool && nameOfTool(t, request.tool)
  return [assistant_name, asking, afterStep(t, request)].filter(Boolean).join(', ')
}

/** Returns the request as one sentence. */
export function wordsOf({ request }: InputRequest, t: TFunction): string {
  if (request.type === 'paused') return unpaidWords(request, t)
  const words = requestWords(request, t)
  return words === request.prompt ? plainOf(words) : words
}

function unpaidWords({ at_step }: PausedBlock, t: TFunction): string {
  if (!at_step) return t('common:inbox.unpaid')
  return t(`common:inbox.${at_step.begun ? 'unpaid_in' : 'unpaid_before'}`, { number: at_step.number })
}
