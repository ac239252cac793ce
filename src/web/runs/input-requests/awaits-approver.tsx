import type { ReactNode } from 'react'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { AskFrame } from './ask-frame.tsx'
import { requestWords } from './request-words.ts'

type AwaitsApproverProps = { request: InputRequiredBlock; aside?: ReactNode; className?: string }

/** A call that somebody else approves, in their own inbox. */
export function AwaitsApprover({ request, aside, className }: AwaitsApproverProps) {
  const { t } = useTranslation(['streaming_blocks', 'tool_ui'])
  const { approver, deadline } = request
  const time = (at: string) => formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <AskFrame {...{ request, aside, className }} state="waiting">
      <div className="grid gap-1.5 p-4 text-14">
        <p className="wrap-anywhere">{requestWords(request, t)}</p>
        <p className="text-13 text-ink-2">
          {approver?.by ? t('input.approver.by', { name: approver.by.name }) : t('input.approver.gone')}
          {approver?.deputy &&
            approver.deputy_from &&
            ` ${t('input.approver.deputy', { name: approver.deputy.name, time: time(approver.deputy_from) })}`}
          {deadline && ` ${t('input.approver.until', { time: time(deadline) })}`}
        </p>
      </div>
    </AskFrame>
  )
}
