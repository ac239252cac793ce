import type { InputRequest } from '#shared/input-requests/input-requests.ts'
import type { PausedBlock } from '#shared/runs/blocks.ts'
import type { TFunction } from '../i18n/i18n.ts'
import { afterStep, requestWords } from '../input-requests/input-requests.tsx'

/** The chat a request was asked in, by its title. */
export function titleOf({ session_title }: InputRequest, t: TFunction): string {
  return session_title?.trim() || t('common:history.untitled')
}

/** Who waits and where in its work. */
export function placeOf({ assistant_name, request }: InputRequest, t: TFunction): string {
  if (request.type === 'paused') return assistant_name ?? ''
  const asking = request.kind === 'question' ? request.tool?.tool_name : null
  return [assistant_name, asking, afterStep(t, request)].filter(Boolean).join(', ')
}

/** What is waited for, in one sentence. */
export function wordsOf({ request }: InputRequest, t: TFunction): string {
  return request.type === 'paused' ? unpaidWords(request, t) : requestWords(request, t)
}

function unpaidWords({ at_step }: PausedBlock, t: TFunction): string {
  if (!at_step) return t('common:inbox.unpaid')
  return t(`common:inbox.${at_step.begun ? 'unpaid_in' : 'unpaid_before'}`, { number: at_step.number })
}
