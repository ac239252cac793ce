import { SquarePen, X } from 'lucide-react'
import { useRef } from 'react'
import type { Visit } from '#shared/chat/embeds/embeds.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { useKeptVisit } from '../../platform/lib/visit/visit.ts'
import { Callout } from '../../platform/ui/callout.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { Mark } from '../../platform/ui/mark.tsx'
import { AskField, type AskHandle, Said, Starters, useSmallChat } from '../small-chat/small-chat.ts'
import type { Look } from './look.ts'
import { visitedPlace } from './visited-place.ts'

type EmbeddedChatProps = { visit: Visit; look: Look }

/** A visitor's chat with the assistant: name, messages and composer. */
export function EmbeddedChat({ visit, look }: EmbeddedChatProps) {
  const { t } = useTranslation('embeds')
  const field = useRef<AskHandle>(null)
  const sessionId = useKeptVisit()?.sessionId ?? null
  const chat = useSmallChat(sessionId, visitedPlace, (text) => field.current?.fill(text))
  const isEmpty = chat.messages.length === 0 && chat.asked === null && !chat.isLoading
  return (
    <main className="embedded small-chat">
      <header>
        <Mark />
        <div className="min-w-0 flex-1">
          <h1 className="truncate text-14 font-medium">{look.title}</h1>
          {visit.house && <p className="truncate text-12 text-ink-3">{visit.house}</p>}
        </div>
        <IconButton name={t('chat.new')} disabled={isEmpty} onClick={chat.restart}>
          <SquarePen aria-hidden className="icon" />
        </IconButton>
        {look.isBubble && (
          <IconButton name={t('chat.close')} onClick={tellClosed}>
            <X aria-hidden className="icon" />
          </IconButton>
        )}
      </header>
      {isEmpty ? (
        <Beginning visit={visit} look={look} onChoose={(text) => chat.send(text)} />
      ) : (
        <Said chat={chat} name={look.title ?? ''} showsSources={look.showsSources} />
      )}
      <footer>
        {chat.error !== null && (
          <Callout tone="danger" className="mb-2">
            {whyNot(t, chat.error)}
          </Callout>
        )}
        <AskField ref={field} chat={chat} />
        <p className="mt-2 text-center text-12 text-ink-3">{t('chat.under')}</p>
      </footer>
    </main>
  )
}

type BeginningProps = EmbeddedChatProps & { onChoose: (text: string) => void }

function Beginning({ visit: { assistant }, look, onChoose }: BeginningProps) {
  const { t } = useTranslation('embeds')
  return (
    <div className="said">
      <div className="begin">
        <h2 className="text-22 font-semibold tracking-[-0.02em]">{t('chat.hello')}</h2>
        <p className="mt-1 mb-4 text-14 text-ink-2">{assistant.description || t('chat.ask_anything')}</p>
        {look.showsStarters && <Starters texts={assistant.example_prompts} onChoose={onChoose} />}
      </div>
    </div>
  )
}

/** The embedding page closes the bubble; the message contains no secret. */
const tellClosed = () => window.parent.postMessage({ atrium: 'close' }, '*')

/** Returns why there is no answer, for a person without an account. */
function whyNot(t: TFunction, error: unknown): string {
  if (!isApiError(error)) return t('chat.failed')
  const { status, code, retryAfterSeconds = 0 } = error
  if (code === 'rate_limited' && (retryAfterSeconds ?? 0) > HOUR_S) return t('chat.day_is_full')
  if (code === 'too_large') return t('chat.too_long')
  if (status === 402 || code === 'quota_exceeded' || code === 'not_available') return t('chat.not_now')
  return errorText(t, error)
}

const HOUR_S = 3_600
