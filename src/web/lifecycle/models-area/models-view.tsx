import { useQuery } from '@tanstack/react-query'
import { Cpu, Plus, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { ModelConnection } from '#shared/models/connections/connections.ts'
import { EmbeddingModel } from '../../knowledge/embedding-model/embedding-model.tsx'
import { InstalledModels } from '../../knowledge/installed-models/installed-models.tsx'
import { LocalModels } from '../../knowledge/installed-models/local-models.tsx'
import { useInstalledModels } from '../../knowledge/installed-models/use-installed-models.ts'
import { ConnectionDialog } from '../../models/connections/connection-dialog.tsx'
import { ConnectionList } from '../../models/connections/connection-list.tsx'
import { LocalServersOffer } from '../../models/connections/local-servers-offer.tsx'
import { connectionList, useConnectionTests } from '../../models/connections/use-connections.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { View } from '../../platform/ui/view.tsx'

/** Models page for super admins: connected providers and their models. */
export function ModelsView() {
  const { t } = useTranslation('admin')
  const [edited, setEdited] = useState<ModelConnection | 'new' | null>(null)
  const connections = useQuery(connectionList)
  const tests = useConnectionTests()
  const isLocal = useInstalledModels().data?.models.some(
    ({ kind, state }) => kind === 'chat' && state === 'ready',
  )
  const all = connections.data ?? []
  const models = all.reduce((sum, connection) => sum + connection.models.length, 0)
  return (
    <View
      title={t('models.admin')}
      badges={
        <Badge tone="line" className="max-md:hidden">
          {t('models.super_admin')}
        </Badge>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="in-order mx-auto max-w-[1120px] px-8 py-6 max-md:px-4">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="text-22 font-semibold tracking-[-0.02em]">{t('models.title')}</h2>
            {all.length > 0 && (
              <span className="num text-14 text-ink-3 max-md:hidden">
                {t('models.count', {
                  models: t('models.models', { count: models }),
                  connections: t('models.connections', { count: all.length }),
                })}
              </span>
            )}
            <span className="flex-1" />
            <Button
              icon={<RefreshCw aria-hidden className="icon" />}
              disabled={all.length === 0}
              busy={tests.isBusy}
              onClick={() => void tests.testAll(all)}
            >
              {t('models.test_all')}
            </Button>
            <Button
              variant="primary"
              icon={<Plus aria-hidden className="icon" />}
              onClick={() => setEdited('new')}
            >
              {t('models.connect')}
            </Button>
          </div>
          <p className="mt-1.5 mb-4 text-13 text-ink-2">{t('models.intro')}</p>
          {connections.isPending && <ListSkeleton />}
          {connections.isError && all.length === 0 && (
            <Callout
              tone="danger"
              title={t('models.failed')}
              action={
                <Button size="sm" onClick={() => void connections.refetch()}>
                  {t('models.retry')}
                </Button>
              }
            >
              {errorText(t, connections.error)}
            </Callout>
          )}
          {connections.data?.length === 0 && (
            <div className="rounded-card border border-line">
              <EmptyState
                icon={<Cpu aria-hidden />}
                title={t(isLocal ? 'models.local_title' : 'models.empty_title')}
              >
                {t(isLocal ? 'models.local_text' : 'models.empty_text')}
              </EmptyState>
            </div>
          )}
          {all.length > 0 && <ConnectionList connections={all} tests={tests} onEdit={setEdited} />}
          {connections.data && <LocalServersOffer />}
          <LocalModels />
          <EmbeddingModel />
          <InstalledModels />
        </div>
      </div>
      {edited && (
        <ConnectionDialog stored={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </View>
  )
}

function ListSkeleton() {
  const { t } = useTranslation('admin')
  return (
    <div role="status" className="grid gap-2">
      <span className="sr-only">{t('models.loading')}</span>
      <Delayed>
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} className="h-14 rounded-card" />
        ))}
      </Delayed>
    </div>
  )
}
