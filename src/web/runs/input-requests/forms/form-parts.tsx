import type { ReactElement, ReactNode } from 'react'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate, formatTime } from '../../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import type { AskState } from '../ask-frame.tsx'
import type { Answering } from '../use-answer.ts'

/** Props of every form of a request; `frame` renders what surrounds it. */
export type FormProps = {
  request: InputRequiredBlock
  answering: Answering
  /** Shown at the left end of the footer. */
  start?: ReactNode
  /** Whether there is space for two columns. */
  isWide: boolean
  frame: (state: AskState, content: ReactNode) => ReactElement
}

/** The controls below a request. */
export function Foot({ start, children }: { start?: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex flex-none flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3 max-md:py-2.5 max-md:[&>button]:flex-1">
      {start}
      <span className="flex-1 max-md:hidden" />
      {children}
    </div>
  )
}

/** Shows why an answer was refused. */
export function Refusal({ answering: { error, isUnavailable } }: { answering: Answering }) {
  const { t } = useTranslation('streaming_blocks')
  if (!error) return null
  return (
    <Callout tone="danger" title={t('input.not_sent')} className="col-span-full">
      {isUnavailable ? t('input.unavailable') : errorText(t, error)}
    </Callout>
  )
}

/** Shows the deadline of an answer, and what happens then. */
export function DeadlineNote({ request }: { request: InputRequiredBlock }) {
  const { t } = useTranslation('streaming_blocks')
  const { deadline, default: fallback } = request
  if (!deadline) return null
  const isToday = new Date(deadline).toDateString() === new Date().toDateString()
  const time = isToday
    ? formatTime(deadline)
    : formatDate(deadline, { dateStyle: 'medium', timeStyle: 'short' })
  if (!fallback) return t('input.deadline_ends', { time })
  return t('input.deadline_default', { time, answer: answerText(fallback.input, t) })
}

/** Returns an answer as text. */
export function answerText(input: unknown, t: TFunction): string {
  if (typeof input === 'boolean') return t(input ? 'input.yes' : 'input.no')
  if (typeof input === 'string') return input
  return input === null || input === undefined ? '' : JSON.stringify(input)
}
