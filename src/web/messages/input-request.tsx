import { CircleCheck, CircleHelp, Clock } from 'lucide-react'
import type { Block } from '#shared/runs/blocks.ts'
import { formatDate } from '../i18n/format.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { Badge } from '../ui/badge.tsx'

/** A question of the run to the person, and what was answered. */
export function InputRequest({ block }: { block: Extract<Block, { type: 'input_required' }> }) {
  const { t } = useTranslation('streaming_blocks')
  const isWaiting = block.state === 'waiting'
  const Icon = isWaiting ? CircleHelp : CircleCheck
  return (
    <section className="overflow-hidden rounded-card border border-line bg-bg">
      <h3 className="flex h-11 items-center gap-2.5 border-b border-line bg-surface px-3.5 text-14">
        <Icon aria-hidden className={`icon ${isWaiting ? 'text-accent' : 'text-success'}`} />
        <span className="font-medium">{t('input.title')}</span>
        <span className="flex-1" />
        <Badge
          tone={isWaiting ? 'warning' : 'success'}
          icon={isWaiting ? <Clock aria-hidden /> : <CircleCheck aria-hidden />}
        >
          {t(isWaiting ? 'input.waiting' : 'input.provided')}
        </Badge>
      </h3>
      <div className="space-y-2 p-3.5">
        <Markdown text={block.prompt} className="text-14" />
        {!isWaiting && <p className="text-14 text-ink-2 whitespace-pre-wrap">{answerText(block.input)}</p>}
        {isWaiting && block.deadline && (
          <p className="text-13 text-ink-3">
            {t('input.deadline', {
              date: formatDate(block.deadline, { dateStyle: 'medium', timeStyle: 'short' }),
            })}
          </p>
        )}
      </div>
    </section>
  )
}

function answerText(input: unknown): string {
  if (typeof input === 'string') return input
  return input === null || input === undefined ? '' : JSON.stringify(input, null, 2)
}
