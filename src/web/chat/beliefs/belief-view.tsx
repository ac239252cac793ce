import { Link } from '@tanstack/react-router'
import { CircleDashed, CircleDot, Flag, type LucideIcon } from 'lucide-react'
import { type BeliefEntry, beliefParts, type getBelief } from '#shared/chat/beliefs/beliefs.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import type { Answer } from '../../platform/lib/api/call.ts'
import { uncoverChat } from '../../platform/lib/chat-panel.ts'
import { goToBranch } from '../messages/messages.tsx'

type Part = (typeof beliefParts)[number]
type BeliefViewProps = { belief: Answer<typeof getBelief>; isOff: boolean }

/** Goals, facts and open questions, each linked to its message. */
export function BeliefView({ belief, isOff }: BeliefViewProps) {
  const { t } = useTranslation('streaming_blocks')
  const shown = beliefParts.filter((part) => belief[part].length > 0)
  return (
    <div className="pt-2 pb-3 text-13">
      {isOff && <Off />}
      {shown.map((part) => (
        <Entries key={part} part={part} entries={belief[part]} />
      ))}
      {shown.length === 0 && !isOff && !belief.is_pending && (
        <p className="px-4 py-1 text-ink-2">{t('belief.empty')}</p>
      )}
      <p role="status" className="px-4 text-12 text-ink-3">
        {belief.is_pending && t('belief.pending')}
      </p>
    </div>
  )
}

function Off() {
  const { t } = useTranslation('streaming_blocks')
  return (
    <p className="px-4 pt-1 pb-2.5 text-ink-2">
      {t('belief.off')}{' '}
      <Link to="/user/preferences" className="font-medium text-accent underline-offset-2 hover:underline">
        {t('belief.setting')}
      </Link>
    </p>
  )
}

const icons: Record<Part, LucideIcon> = { goals: Flag, facts: CircleDot, open_questions: CircleDashed }

function Entries({ part, entries }: { part: Part; entries: readonly BeliefEntry[] }) {
  const { t } = useTranslation('streaming_blocks')
  const Icon = icons[part]
  return (
    <section className="pb-2">
      <h4 className="flex justify-between px-4 py-1 text-12 text-ink-3">
        {t(`belief.${part}`)}
        <span className="num">{entries.length}</span>
      </h4>
      <ul aria-label={t(`belief.${part}`)}>
        {entries.map(({ text, message_id }) => (
          <li key={text}>
            <button
              type="button"
              title={t('belief.go_to')}
              onClick={() => {
                uncoverChat()
                void goToBranch(message_id, t)
              }}
              className="flex w-full gap-2.5 px-4 py-1.5 text-left leading-[19px] hover-motion hover:bg-surface focus-visible:-outline-offset-2 max-md:py-3"
            >
              <Icon aria-hidden className="icon-14 mt-0.5 flex-none text-ink-3" />
              <span className="min-w-0 wrap-anywhere">{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
