import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Markdown } from '../../platform/markdown/markdown.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { AskFrame } from './ask-frame.tsx'
import { AwaitsApprover } from './awaits-approver.tsx'
import { RequestForm } from './request-form.tsx'
import { requestWords } from './request-words.ts'

type RequestDockProps = {
  sessionId: string
  /** Requests the run waits for, oldest first. */
  requests: readonly InputRequiredBlock[]
  onSettled: () => void
}

/** The requests of a waiting run above the composer, one at a time. */
export function RequestDock({ sessionId, requests, onSettled }: RequestDockProps) {
  const { t } = useTranslation(['streaming_blocks', 'tool_ui'])
  const [chosen, setChosen] = useState<string | null>(null)
  const found = requests.findIndex(({ id }) => id === chosen)
  const at = Math.max(0, found)
  const request = requests[at]
  const dock = useRef<HTMLDivElement>(null)
  const isQuestion = (request?.kind ?? 'question') === 'question'
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first request takes the focus.
  useEffect(() => {
    if (!isFree(document.activeElement)) return
    // An Enter meant for the composer must not run a tool, so only a question takes the focus.
    const field = isQuestion && dock.current?.querySelector<HTMLElement>('textarea, input[type="radio"]')
    const target = field || dock.current?.querySelector<HTMLElement>('section')
    target?.focus({ preventScroll: true })
  }, [])
  if (!request) return null
  const go = (by: number) => setChosen(requests[at + by]?.id ?? null)
  const aside = requests.length > 1 && <Pager at={at} count={requests.length} onGo={go} />
  if (request.approver) return <AwaitsApprover {...{ request, aside }} className="mb-3" />
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
            className="mb-3 max-h-[min(60dvh,600px)] max-md:max-h-[52dvh]"
            aside={aside}
          >
            {request.kind !== 'approval' && (
              <div
                className={`max-h-[30dvh] flex-none overflow-y-auto px-4 pt-4 ${isQuestion ? '' : 'pb-4'}`}
              >
                <Markdown text={requestWords(request, t)} className="text-15" />
              </div>
            )}
            {content}
          </AskFrame>
        )}
      />
    </div>
  )
}

/** Returns whether no one is typing, so that the person is not interrupted. */
function isFree(at: Element | null): boolean {
  return at === document.body || (at instanceof HTMLTextAreaElement && at.value === '')
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
