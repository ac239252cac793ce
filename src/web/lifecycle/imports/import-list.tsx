import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useImportList } from './use-imports.ts'

/** Earlier imports, each with its state and what it added. */
export function ImportList() {
  const { t } = useTranslation('imports')
  const { data } = useImportList()
  if (!data || data.items.length === 0) return null
  return (
    <section aria-label={t('list.title')} className="mt-8">
      <h3 className="mb-2 text-13 font-medium">{t('list.title')}</h3>
      <ul className="divide-y divide-line rounded-card border border-line">
        {data.items.map(({ id, name, state, added, created_at }) => (
          <li key={id}>
            <Link
              to="/user/data/import/{-$importId}"
              params={{ importId: id }}
              className="flex min-h-14 items-center gap-3 px-4 py-2.5 hover:bg-surface-2"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate text-14 font-medium">{name}</span>
                <span className="num block text-12 text-ink-3">
                  {formatDate(created_at, { day: 'numeric', month: 'long', year: 'numeric' })}
                  {' · '}
                  {t(`list.state.${state}`)}
                  {' · '}
                  {t('list.chats', { count: added.chats })}
                </span>
              </span>
              <ChevronRight aria-hidden className="icon flex-none text-ink-3" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
