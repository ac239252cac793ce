import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import { Lock, Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Connector } from '#shared/knowledge/connectors/connectors.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { buttonLook } from '../../../platform/ui/button.tsx'
import { Pager } from '../../../platform/ui/pager.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { LoadFailure } from '../../../platform/ui/states/load-failure.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { View } from '../../../platform/ui/view.tsx'
import { RemoveConnector } from '../detail/remove-connector.tsx'
import { useConnectable } from '../use-connectable.ts'
import { CONNECTORS_PAGE, useConnectorList, useSources } from '../use-connectors.ts'
import { ConnectorRow } from './connector-row.tsx'

/** The connectors that a person manages: personal ones, and those of companies they administer. */
export function ConnectorList() {
  const { t } = useTranslation('connectors')
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useConnectorList(page)
  const [doomed, setDoomed] = useState<Connector | null>(null)
  const hasMore = data && data.total > page * CONNECTORS_PAGE
  return (
    <View
      title={t('title')}
      badges={data && <span className="num text-13 text-ink-3">{formatNumber(data.total)}</span>}
      actions={<AddLink />}
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1120px] grid-cols-1 gap-4 px-8 py-6 max-md:px-4">
          {isPending && (
            <Skeletons className="grid gap-2" sizes={['h-16 w-full', 'h-16 w-full', 'h-16 w-full']} />
          )}
          {error && !data && (
            <LoadFailure error={error} title={t('load_failed')} onRetry={() => void refetch()} />
          )}
          {data && data.items.length > 0 && (
            <ul aria-label={t('title')} className="divide-y divide-line rounded-card border border-line">
              {data.items.map((connector) => (
                <ConnectorRow
                  key={connector.id}
                  connector={connector}
                  onRemove={() => setDoomed(connector)}
                />
              ))}
            </ul>
          )}
          {data?.total === 0 && <NoConnectors />}
          <Pager
            page={page}
            hasMore={Boolean(hasMore)}
            onPage={setPage}
            before={t('previous')}
            after={t('next')}
          />
          {data && (
            <p className="flex items-center gap-2 text-12 text-ink-3">
              <Lock aria-hidden className="icon-14 flex-none" />
              {t('read_only')}
            </p>
          )}
        </div>
      </div>
      {doomed && <RemoveConnector connector={doomed} onClose={() => setDoomed(null)} />}
    </View>
  )
}

function AddLink() {
  const { t } = useTranslation('connectors')
  const { connectable } = useConnectable()
  // It has its place from the beginning, so that nothing moves when the sources are known.
  return (
    <Link
      to={'/documents/connectors/new' as '/documents'}
      className={clsx(buttonLook({ variant: 'primary' }), connectable.length === 0 && 'invisible')}
      aria-label={t('add')}
    >
      <Plus aria-hidden className="icon" />
      <span className="max-md:sr-only">{t('add')}</span>
    </Link>
  )
}

function NoConnectors() {
  const { t } = useTranslation('connectors')
  const { data } = useSources()
  const { connectable } = useConnectable()
  const isClosed = data && connectable.length === 0
  return (
    <EmptyState icon={<Plug aria-hidden />} title={t('empty')}>
      {t(isClosed ? 'nothing_offered' : 'empty_text')}
    </EmptyState>
  )
}
