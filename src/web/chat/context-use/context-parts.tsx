import {
  type ContextPart,
  type ContextUse,
  type getContextUse,
  summariseNow,
} from '#shared/chat/context-use/context-use.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { type Answer, call } from '../../platform/lib/api/call.ts'
import { refetchChanged } from '../../platform/lib/api/query-client.ts'
import { modelLabel } from '../../platform/lib/models/model-label.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'

type ContextPartsProps = {
  sessionId: string
  data: Answer<typeof getContextUse>
  use: ContextUse
  percent: string
  isStreaming: boolean
  onSummary: (messageId: string, text: string) => void
}

/** Parts in the order of the bar, with their colours. */
const colours: [ContextPart, string][] = [
  ['documents', 'var(--accent)'],
  ['history', 'color-mix(in oklab, var(--accent) 62%, var(--surface-3))'],
  ['summaries', 'color-mix(in oklab, var(--accent) 34%, var(--surface-3))'],
  ['work', 'var(--text-2)'],
  ['tools', 'var(--border-strong)'],
  ['instructions', 'var(--text-3)'],
  ['memory', 'var(--success)'],
]

/** Parts that filled the window in the last prompt, and the offer to summarize the messages so far. */
export function ContextParts({ sessionId, data, use, percent, isStreaming, onSummary }: ContextPartsProps) {
  const { t } = useTranslation('streaming_blocks')
  const summarising = useAction(async () => {
    try {
      const { message_id, summary } = await call(summariseNow, { params: { sessionId } })
      onSummary(message_id, summary)
      refetchChanged(['context-use', sessionId])
    } catch (error) {
      const hasChanged = isApiError(error) && error.code === 'conflict'
      toast.error(hasChanged ? t('context.changed') : errorText(t, error))
    }
  })
  const parts = colours.filter(([part]) => use.parts[part] > 0)
  const total = formatNumber(use.total)
  const { messages, summarised } = data
  return (
    <div className="w-[372px] max-w-full p-1">
      <h3 className="font-medium">{t('context.title')}</h3>
      <p className="num mt-1 flex justify-between gap-3 text-12 text-ink-2">
        <span>
          {t('context.total', {
            total: use.is_estimated ? `≈ ${total}` : total,
            window: formatNumber(use.window),
            model: modelLabel(use.model_name, t),
          })}
        </span>
        <span>{percent}</span>
      </p>
      <div aria-hidden className="mt-3 flex h-2.5 gap-px overflow-hidden rounded-pill bg-surface-2">
        {parts.map(([part, colour]) => (
          <span
            key={part}
            style={{ width: `${(100 * use.parts[part]) / use.window}%`, background: colour }}
          />
        ))}
      </div>
      <dl className="num mt-2">
        {parts.map(([part, colour]) => (
          <div key={part} className="flex min-h-7 items-center gap-2">
            <span aria-hidden className="size-2.5 flex-none rounded-[2px]" style={{ background: colour }} />
            <dt className="flex-1">
              {t(`context.parts.${part}`)}
              {part === 'history' && (
                <span className="ml-2 text-12 text-ink-3">{t('context.messages', { count: messages })}</span>
              )}
              {part === 'summaries' && (
                <span className="ml-2 text-12 text-ink-3">{t('context.older', { count: summarised })}</span>
              )}
            </dt>
            <dd>{formatNumber(use.parts[part])}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-12 text-ink-3">{t('context.rule')}</p>
      <Button
        className="mt-3"
        wide
        busy={summarising.isPending}
        aria-disabled={isStreaming || messages === 0 || undefined}
        onClick={() => {
          if (!isStreaming && messages > 0) void summarising.run()
        }}
      >
        {t('context.summarise')}
      </Button>
    </div>
  )
}
