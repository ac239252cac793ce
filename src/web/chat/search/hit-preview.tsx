import { Link } from '@tanstack/react-router'
import type { SearchHit } from '#shared/chat/search/search.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { modelLabel } from '../../platform/lib/models/model-label.ts'
import { Marked, splitMatch } from '../../platform/ui/marked.tsx'
import { addressOf } from './hit-address.ts'

/** More of the text of a hit, with its facts. Only on wide screens. */
export function HitPreview({ hit }: { hit: SearchHit }) {
  const { t } = useTranslation('search')
  const { to, search } = addressOf(hit)
  const facts = [
    [t('facts.date'), formatDate(hit.at, { dateStyle: 'medium', timeStyle: 'short' })],
    [t('facts.person'), hit.person.name],
    [t('facts.project'), hit.project?.name],
    [t('facts.model'), hit.model_name && modelLabel(hit.model_name, t)],
    [t('facts.page'), hit.page_number?.toString()],
  ].filter(([, value]) => value)
  return (
    <aside
      aria-label={t('preview')}
      className="flex w-[360px] flex-none flex-col border-l border-line bg-bg max-lg:hidden"
    >
      <h2 className="flex h-13 flex-none items-center border-b border-line px-5">
        <span dir="auto" className="truncate text-13 font-semibold">
          {hit.title || t(hit.kind === 'memory' ? 'kinds.memory' : 'untitled')}
        </span>
      </h2>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-12">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-3">{name}</dt>
              <dd dir="auto" className="truncate text-ink-2">
                {value}
              </dd>
            </div>
          ))}
        </dl>
        <p dir="auto" className="mt-4 text-14 leading-6 wrap-anywhere">
          <Marked parts={splitMatch(hit.excerpt)} />
        </p>
      </div>
      <div className="border-t border-line px-5 py-3">
        <Link
          to={to as '/'}
          search={search as never}
          className="text-13 font-medium text-accent hover:underline"
        >
          {t(`open.${hit.kind}`)}
        </Link>
      </div>
    </aside>
  )
}
