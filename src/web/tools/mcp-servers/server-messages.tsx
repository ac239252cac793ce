import { useState } from 'react'
import type { ServerMessage } from '#shared/tools/own-tools/mcp-health.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { msText } from './server-facts.tsx'

/** Number of messages shown before "show more". */
const SHOWN = 8
const exact = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const

/** Recent messages between Atrium and a server: names and times, never their content. */
export function ServerMessages({ messages }: { messages: readonly ServerMessage[] }) {
  const { t } = useTranslation('tools')
  const [isAll, setAll] = useState(false)
  if (messages.length === 0) return null
  return (
    <section>
      <h2 className="mb-1.5 text-13 font-medium">{t('health.messages')}</h2>
      <ol className="grid gap-1 text-12">
        {messages.slice(0, isAll ? undefined : SHOWN).map((message, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two of the same moment may say the same.
          <li key={`${message.at} ${at}`} className="flex gap-2.5">
            <time dateTime={message.at} title={formatDate(message.at)} className="num flex-none text-ink-3">
              {formatDate(message.at, exact)}
            </time>
            <span className={`min-w-0 wrap-anywhere ${message.failure === null ? '' : 'text-danger'}`}>
              {wordsOf(t, message)}
            </span>
          </li>
        ))}
      </ol>
      {!isAll && messages.length > SHOWN && (
        <Button variant="link" size="sm" className="mt-1.5" onClick={() => setAll(true)}>
          {t('servers.all')}
        </Button>
      )}
      <p className="mt-1.5 text-12 text-ink-3">{t('health.messages_hint')}</p>
    </section>
  )
}

function wordsOf(t: TFunction, { what, name, ms, failure }: ServerMessage): string {
  const words =
    failure === null
      ? t(`tools:health.message.${what}`, { name })
      : t(`tools:health.failed_message.${kindOf(what)}`, { name })
  return [words, ...(ms === null ? [] : [msText(ms)]), ...(failure === null ? [] : [failure])].join(' · ')
}

/** A failed request has a name, or is one of these. */
const kindOf = (what: ServerMessage['what']) => (what === 'connect' || what === 'list' ? what : 'named')
