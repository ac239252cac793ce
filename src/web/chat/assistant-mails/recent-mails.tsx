import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import type { ReceivedMail } from '#shared/chat/assistant-mails/assistant-mails.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge, type Tone } from '../../platform/ui/badge.tsx'

const tones: Record<ReceivedMail['state'], Tone> = {
  ...{ waiting: 'neutral', answering: 'accent', sending: 'accent', answered: 'success' },
  ...{ refused: 'danger', failed: 'danger', unknown: 'warning' },
}

/** The latest mails to an assistant, with their chats. */
export function RecentMails({ mails }: { mails: ReceivedMail[] }) {
  const { t } = useTranslation('assistant_mails')
  return (
    <section aria-label={t('recent')}>
      <h3 className="mb-2 text-13 font-semibold">{t('recent')}</h3>
      <ul className="divide-y divide-line rounded-card border border-line">
        {mails.map(({ id, subject, sender, state, detail, received_at, session_id }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-13">
            <span className="min-w-0 flex-1 basis-60">
              <span dir="auto" className="block truncate font-medium">
                {subject || t('no_subject')}
              </span>
              <span className="block truncate text-12 text-ink-3">{detail ?? sender}</span>
            </span>
            <Badge tone={tones[state]}>{t(`state.${state}`)}</Badge>
            <time dateTime={received_at} className="num text-12 whitespace-nowrap text-ink-3">
              {formatDate(received_at, { dateStyle: 'medium', timeStyle: 'short' })}
            </time>
            {session_id && (
              <Link
                to="/chat/{-$sessionId}"
                params={{ sessionId: session_id }}
                className="inline-flex h-7 items-center gap-1 font-medium text-accent hover:underline max-md:h-11"
              >
                {t('open_chat')}
                <ArrowUpRight aria-hidden className="icon-12" />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
