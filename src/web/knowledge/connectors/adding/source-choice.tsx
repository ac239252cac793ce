import { ChevronRight } from 'lucide-react'
import type { Source } from '#shared/knowledge/connectors/sources.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { iconOfSource, nameOfSource } from '../connector-words.ts'

type Props = { sources: readonly Source[]; onChoose: (source: Source) => void }

/** The sources that can be connected here. */
export function SourceChoice({ sources, onChoose }: Props) {
  const { t } = useTranslation('connectors')
  return (
    <ul aria-label={t('steps.source')} className="grid grid-cols-[repeat(auto-fill,minmax(280px,1fr))] gap-3">
      {sources.map((source) => {
        const Icon = iconOfSource(source.id)
        return (
          <li key={source.id} className="min-w-0">
            <button
              type="button"
              onClick={() => onChoose(source)}
              className="flex h-full min-h-20 w-full items-start gap-3 rounded-card border border-line p-4 text-left hover-motion hover:border-line-2 hover:bg-surface"
            >
              <span className="inline-grid size-8 flex-none place-items-center rounded-row bg-surface-2 text-ink-2">
                <Icon aria-hidden className="icon" />
              </span>
              <span className="min-w-0 flex-1">
                <span className="block text-14 font-medium">{nameOfSource(t, source.id)}</span>
                <span className="mb-2 block text-13 text-ink-2">
                  {t(`sources.${source.id}.text`, { defaultValue: '' })}
                </span>
                <Badge tone="line">
                  {t(source.mirrors_rights ? 'rights.mirrored_short' : 'rights.named_short')}
                </Badge>
              </span>
              <ChevronRight aria-hidden className="icon mt-1 flex-none text-ink-3" />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
