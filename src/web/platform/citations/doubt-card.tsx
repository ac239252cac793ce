import { CircleHelp } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from '../i18n/i18n.ts'
import type { DoubtedSentence } from './cited.ts'
import { FloatingCard } from './floating-card.tsx'

type DoubtCardProps = { sentence: DoubtedSentence; anchor: RefObject<HTMLElement | null> }

/** Explains why a sentence is doubtful. */
export default function DoubtCard({ sentence: { kinds, numbers }, anchor }: DoubtCardProps) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <FloatingCard anchor={anchor} name={t('doubt.title')}>
      {kinds.map((kind) => (
        <span key={kind} className="doubt-reason">
          <CircleHelp aria-hidden className="icon-14 mt-0.5 flex-none text-warning" />
          <span>
            <span className="font-medium">
              {t(`doubt.${kind}`, { count: numbers.length, numbers: numbers.join(', ') })}
            </span>
            <span className="block text-ink-2">{t(`doubt.${kind}_about`)}</span>
          </span>
        </span>
      ))}
    </FloatingCard>
  )
}
