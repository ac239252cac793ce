import { X } from 'lucide-react'
import type { ExpectedPassage } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Choice, Segment } from '../../platform/ui/choices/segments.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'

type Props = { passages: ExpectedPassage[]; onChange: (passages: ExpectedPassage[]) => void }

/** The expected passages, each with its grade. */
export function ExpectedPassages({ passages, onChange }: Props) {
  const { t } = useTranslation('admin')
  const grade = (of: ExpectedPassage, grade: ExpectedPassage['grade']) =>
    onChange(passages.map((one) => (one === of ? { ...one, grade } : one)))
  return (
    <section aria-label={t('debug.bench.expected_title')} className="grid gap-2">
      <h3 className="text-13 font-semibold">{t('debug.bench.expected_title')}</h3>
      {passages.length === 0 && <p className="text-13 text-ink-2">{t('debug.bench.none_expected')}</p>}
      {passages.length > 0 && (
        <ul className="rounded-card border border-line">
          {passages.map((one) => (
            <li
              key={one.chunk_id}
              className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-3 text-13 first:border-0"
            >
              <span className="min-w-0 flex-1 basis-60">
                <span className="line-clamp-2">{one.text ?? t('debug.bench.unseen')}</span>
                <span className="block truncate text-12 text-ink-2">{one.document_name}</span>
              </span>
              <Choice name={t('debug.bench.grade')}>
                {(['answers', 'helps'] as const).map((name) => (
                  <Segment key={name} isOn={one.grade === name} onClick={() => grade(one, name)}>
                    {t(`debug.bench.grades.${name}`)}
                  </Segment>
                ))}
              </Choice>
              <IconButton
                size="sm"
                name={t('debug.bench.unexpect')}
                onClick={() => onChange(passages.filter((other) => other !== one))}
              >
                <X aria-hidden className="icon-14" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
