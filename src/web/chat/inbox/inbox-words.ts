import { plainOf } from '#shared/chat/sessions/preview.ts'
import type { InputRequest } from '#shared/runs/input-requests/input-requests.ts'
import type { PausedBlock } from '#shared/runs/runs/blocks.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../platform/i18n/tool-words.ts'
import { afterStep, requestWords } from '../../runs/input-requests/input-requests.tsx'
import { titleOf as titleOfSession } from '../../runs/sessions/sessions.ts'

/** Where a request was asked, in words: the chat by its title, else the tool that a person tried. */
export function titleOf({ session_id, session_title, request }: InputRequest, t: TFunction): string {
  const tool = toolOf(request)
  if (!session_id && tool) return t('common:inbox.tried', { tool: nameOfTool(t, tool) })
  return titleOfSession({ id: session_id ?? '', title: session_title ?? '' }, t)
}

type Page = { to: string; search: Record<string, string> }

/** The page on which a request was asked: its chat, or that of the tool a person tried; null without either. */
export function pageOf({ session_id, request }: InputRequest): Page | null {
  const tool = toolOf(request)
  if (session_id) return { to: `/chat/${session_id}`, search: {} }
  if (!tool) return null
  return { to: `/tools/${encodeURIComponent(tool.tool_id)}`, search: { tried: tool.tool_execution_id } }
}

const toolOf = (request: InputRequest['request']) => (request.type === 'paused' ? undefined : request.tool)

/** Who waits and where in its work. */
export function placeOf({ assistant_name, session_id, request }: InputRequest, t: TFunction): string {
  if (request.type === 'paused') return assistant_name ?? ''
  const asking = session_id && request.kind === 'question' && request.tool && nameOfTool(t, request.tool)
  return [assistant_name, asking, afterStep(t, request)].filter(Boolean).join(', ')
}

/** What is waited for, in one sentence. */
export function wordsOf({ request }: InputRequest, t: TFunction): string {
  if (request.type === 'paused') return unpaidWords(request, t)
  const words = requestWords(request, t)
  return words === request.prompt ? plainOf(words) : words
}

function unpaidWords({ at_step }: PausedBlock, t: TFunction): string {
  if (!at_step) return t('common:inbox.unpaid')
  return t(`common:inbox.${at_step.begun ? 'unpaid_in' : 'unpaid_before'}`, { number: at_step.number })
}
