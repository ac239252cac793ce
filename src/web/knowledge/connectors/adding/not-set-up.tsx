import type { SourceList } from '#shared/knowledge/connectors/sources.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { iconOfSource, nameOfSource } from '../connector-words.ts'

/** Sources that lack settings of the installation, for administrators. */
export function NotSetUp({ sources }: { sources: SourceList['not_set_up'] }) {
  const { t } = useTranslation('connectors')
  if (sources.length === 0) return null
  return (
    <section aria-labelledby="not-set-up" className="rounded-card border border-line p-4">
      <h3 id="not-set-up" className="text-13 font-semibold">
        {t('not_set_up.title')}
      </h3>
      <p className="mt-1 text-13 text-ink-2">{t('not_set_up.text')}</p>
      <ul className="mt-3 grid gap-3">
        {sources.map(({ id, settings }) => {
          const Icon = iconOfSource(id)
          return (
            <li key={id} className="flex items-start gap-2.5 text-13">
              <Icon aria-hidden className="icon-14 mt-0.5 flex-none text-ink-3" />
              <span className="min-w-0">
                <span className="block font-medium">{nameOfSource(t, id)}</span>
                {settings.map((name) => (
                  <code key={name} className="block font-mono text-12 wrap-anywhere text-ink-2">
                    {name}
                  </code>
                ))}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
