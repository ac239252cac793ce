import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { InputRequiredBlock } from '#shared/runs/blocks.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { AskFrame } from './ask-frame.tsx'
import { RequestForm } from './request-form.tsx'
import { requestWords } from './request-words.ts'

type RequestDockProps = {
  sessionId: string
  /** What the run waits for, oldest first. */
  requests: readonly InputRequiredBlock[]
  onSettled: () => void
  /** Ends the run, so that another message can be written. */
  onStop: () => void
  isStopping: boolean
}

/** A waiting run in place of the composer: what it asks, one request at a time. */
export function RequestDock({ sessionId, requests, onSettled, onStop, isStopping }: RequestDockProps) {
  const { t } = useTranslation('streaming_blocks')
  const [chosen, setChosen] = useState<string | null>(null)
  const found = requests.findIndex(({ id }) => id === chosen)
  const at = Math.max(0, found)
  const request = requests[at]
  const dock = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Whoever wrote in the composer goes on here; a focus elsewhere is not taken away.
    if (document.activeElement !== document.body) return
    dock.current
      ?.querySelector<HTMLElement>('textarea, input, button[type="submit"]')
      ?.focus({ preventScroll: true })
  }, [])
  if (!request) return null
  const go = (by: number) => setChosen(requests[at + by]?.id ?? null)
  return (
    <div ref={dock}>
      <RequestForm
        key={request.id}
        sessionId={sessionId}
        request={request}
        onSettled={onSettled}
        frame={(state, content) => (
          <AskFrame
            request={request}
            state={state}
            className="max-h-[min(68dvh,640px)]"
            aside={requests.length > 1 && <Pager at={at} count={requests.length} onGo={go} />}
          >
            {request.kind !== 'approval' && (
              <div
                className={`max-h-[30dvh] flex-none overflow-y-auto px-4 pt-4 ${request.kind === 'interrupted' ? 'pb-4' : ''}`}
              >
                <Markdown text={requestWords(request, t)} className="text-15" />
              </div>
            )}
            {content}
          </AskFrame>
        )}
      />
      <p className="flex flex-wrap items-center justify-center gap-x-1.5 pt-2 pb-2.5 text-12 text-ink-3">
        <span>{t('input.run_waits')}</span>
        <Button variant="link" size="sm" busy={isStopping} onClick={onStop}>
          {t('input.stop_and_write')}
        </Button>
      </p>
    </div>
  )
}

function Pager({ at, count, onGo }: { at: number; count: number; onGo: (by: number) => void }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <span className="num flex items-center text-12 whitespace-nowrap text-ink-3">
      <IconButton name={t('input.previous')} size="xs" disabled={at === 0} onClick={() => onGo(-1)}>
        <ChevronLeft aria-hidden className="icon-14" />
      </IconButton>
      {t('input.one_of', { number: at + 1, count })}
      <IconButton name={t('input.next')} size="xs" disabled={at === count - 1} onClick={() => onGo(1)}>
        <ChevronRight aria-hidden className="icon-14" />
      </IconButton>
    </span>
  )
}
