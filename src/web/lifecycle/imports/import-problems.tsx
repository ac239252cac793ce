import { TriangleAlert } from 'lucide-react'
import type { Import } from '#shared/lifecycle/imports/imports.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { useProblems } from './use-imports.ts'

/** Chats and files that cannot be imported, each with its reason. */
export function ImportProblems({ one }: { one: Import }) {
  const { t } = useTranslation('imports')
  const { items, more } = useProblems(one.id, one.problems)
  if (one.problems === 0) return null
  return (
    <section aria-label={t('problems.title', { count: one.problems })} className="mt-5">
      <h3 className="mb-2 text-13 font-medium">{t('problems.title', { count: one.problems })}</h3>
      <ul className="divide-y divide-line rounded-card border border-line">
        {items.map(({ kind, title, reason }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end.
          <li key={at} className="flex min-h-12 items-start gap-3 px-4 py-2.5">
            <TriangleAlert aria-hidden className="icon mt-0.5 flex-none text-warning" />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-14 font-medium">
                {title || t(`problems.unnamed.${kind}`)}
              </span>
              <span className="block text-12 text-ink-3">{t(`problems.reason.${reason}`)}</span>
            </span>
          </li>
        ))}
      </ul>
      {more && (
        <Button size="sm" className="mt-2" busy={more.isLoading} onClick={more.load}>
          {t('problems.more')}
        </Button>
      )}
    </section>
  )
}
