import { ChevronDown, ChevronUp, CircleX, RotateCcw } from 'lucide-react'
import { useId, useState } from 'react'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { stepOf } from '#shared/runs/runs/steps.ts'
import { formatTime } from '../../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { troubleText } from '../../../platform/i18n/trouble-text.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { regenerateMessage } from '../branching/regenerate.ts'
import { useMayWrite } from '../chat/may-write.ts'
import { messageStore } from '../chat/message-store.ts'
import { returnTo } from '../standstill/task-actions.ts'
import type { CheckpointBlock } from './group-blocks.ts'
import { useReplyOfCheckpoints } from './use-checkpoints.ts'

/** A failed run: what happened, that earlier content is preserved, and the details. */
export default function ErrorBlock({ block }: { block: Extract<Block, { type: 'error' }> }) {
  const { t } = useTranslation('streaming_blocks')
  const replyId = useReplyOfCheckpoints()
  const mayWrite = useMayWrite()
  const said = troubleText(t, block.error) ?? (block.error || t('unknown_error'))
  const text = block.code ? t(`common:errors.${block.code}`, { defaultValue: said }) : said
  const step = stepOf({ step_key: block.step })
  const isDated = !Number.isNaN(Date.parse(block.timestamp))
  return (
    <section role="alert" className="overflow-hidden rounded-card border border-danger/50 bg-bg">
      <h3 className="flex h-11 items-center gap-2.5 border-b border-line pr-3.5 pl-3 text-14">
        <CircleX aria-hidden className="icon text-danger" />
        <span className="font-medium whitespace-nowrap">{t('error.title')}</span>
        {step !== null && (
          <span className="truncate text-13 text-ink-3">{t('step_number', { number: step })}</span>
        )}
        <span className="flex-1" />
        {isDated && <time className="num text-12 text-ink-3">{formatTime(block.timestamp)}</time>}
      </h3>
      <div className="space-y-3 p-4 text-14 leading-[21px]">
        <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
        <p className="text-13 text-ink-2">{t('error.kept')}</p>
        {block.traceback && <Details text={block.traceback} />}
      </div>
      {replyId && mayWrite && (
        <div className="border-t border-line px-4 py-3">
          <Button icon={<RotateCcw aria-hidden className="icon-14" />} onClick={() => retry(replyId, t)}>
            {t('tool.retry')}
          </Button>
        </div>
      )}
    </section>
  )
}

/** Continues from the last checkpoint of the reply, preserving completed work; without one it is regenerated. */
function retry(replyId: string, t: TFunction): void {
  const last = messageStore
    .getState()
    .messagesById[replyId]?.blocks.findLast((block): block is CheckpointBlock => block.type === 'checkpoint')
  if (last) returnTo(replyId, last, t)
  else regenerateMessage(replyId, t)
}

function Details({ text }: { text: string }) {
  const { t } = useTranslation('streaming_blocks')
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <div className="flex h-9 items-center gap-1 bg-surface pr-1 pl-1.5">
        <Button
          variant="ghost"
          size="sm"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron aria-hidden className="icon-14" />
          {t('error.details')}
        </Button>
        <span className="flex-1" />
        <CopyButton name={t('error.copy')} size="sm" read={() => text} />
      </div>
      <pre
        id={id}
        hidden={!isOpen}
        className="overflow-x-auto border-t border-line p-3 font-mono text-12 leading-[18px]"
      >
        {text}
      </pre>
    </div>
  )
}
