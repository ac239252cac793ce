import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeft, CirclePause, Ellipsis, Plug, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Connector } from '#shared/knowledge/connectors/connectors.ts'
import { ClassField } from '../../../models/data-classes/data-classes.tsx'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { Button, buttonLook } from '../../../platform/ui/button.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { Tabs } from '../../../platform/ui/tabs.tsx'
import { View } from '../../../platform/ui/view.tsx'
import { StateBadge } from '../connector-state.tsx'
import { isUnread, useConnector, useConnectorActions, useSignInSource } from '../use-connectors.ts'
import { ConnectorFigures } from './connector-figures.tsx'
import { ConnectorNotices } from './connector-notices.tsx'
import { DifferingItems } from './differing-items.tsx'
import { EditConnector } from './edit-connector.tsx'
import { FirstChoice } from './first-choice.tsx'
import { RemovalQuestion } from './removal-question.tsx'
import { RemoveConnector } from './remove-connector.tsx'
import { SyncHistory } from './sync-history.tsx'

const tabs = ['items', 'syncs', 'settings'] as const

/** One connector: its state, progress and counts, the items that differ, its syncs and its settings. */
export function ConnectorDetail({ id }: { id: string }) {
  const { t } = useTranslation('connectors')
  const { data: connector, error } = useConnector(id)
  if (connector) return <Detail connector={connector} />
  return (
    <View title={t('title')}>
      {connector === undefined && !error ? (
        <Skeletons
          className="mx-auto grid w-full max-w-[984px] gap-4 px-8 py-6 max-md:px-4"
          sizes={['h-5 w-72', 'h-20 w-full rounded-card', 'h-40 w-full rounded-card']}
        />
      ) : (
        <EmptyState
          page
          icon={<Plug aria-hidden />}
          title={t('gone')}
          action={
            <Link to={'/documents/connectors' as '/documents'} className={buttonLook()}>
              {t('back')}
            </Link>
          }
        >
          {connector === null || isApiError(error, 403) ? t('gone_text') : errorText(t, error)}
        </EmptyState>
      )}
    </View>
  )
}

function Detail({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const navigate = useNavigate()
  const { tab: asked } = useSearch({ strict: false }) as { tab?: string }
  const tab = tabs.find((one) => one === asked) ?? 'items'
  const [isRemoving, setRemoving] = useState(false)
  const signedInSource = useSignInSource(connector)
  const newSource = isUnread(connector) ? signedInSource : null
  const goBack = () => void navigate({ to: '/documents/connectors' as '/documents' })
  const contents = {
    items: <DifferingItems connector={connector} />,
    syncs: <SyncHistory connector={connector} />,
    settings: (
      <>
        <EditConnector key={connector.id} connector={connector} />
        <ClassField className="mt-6 max-w-100" of={{ kind: 'connector', id: connector.id }} />
      </>
    ),
  }
  return (
    <View
      title={connector.name}
      badges={<StateBadge connector={connector} />}
      actions={
        <Actions
          connector={connector}
          isWaiting={signedInSource !== null && (newSource !== null || connector.state === 'signed_out')}
          onRemove={() => setRemoving(true)}
        />
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid w-full max-w-[984px] grid-cols-1 gap-5 px-8 pt-5 pb-12 max-md:px-4">
          <div className="flex items-center justify-between gap-3">
            <Link
              to={'/documents/connectors' as '/documents'}
              className="inline-flex items-center gap-1.5 rounded-control text-13 font-medium text-ink-2 hover:text-ink max-md:min-h-11"
            >
              <ArrowLeft aria-hidden className="icon-14" />
              {t('back')}
            </Link>
            <span className="md:hidden">
              <StateBadge connector={connector} />
            </span>
          </div>
          <ConnectorNotices connector={connector} />
          <RemovalQuestion connector={connector} />
          {newSource ? (
            <FirstChoice connector={connector} source={newSource} />
          ) : (
            <>
              <ConnectorFigures connector={connector} />
              <Tabs
                name={t('tabs.label')}
                value={tab}
                onValueChange={(next) =>
                  void navigate({ to: '.', search: { tab: next } as never, replace: true })
                }
                tabs={tabs.map((value) => ({ value, label: t(`tabs.${value}`), content: contents[value] }))}
              />
            </>
          )}
        </div>
      </div>
      {isRemoving && (
        <RemoveConnector connector={connector} onClose={() => setRemoving(false)} onRemoved={goBack} />
      )}
    </View>
  )
}

type ActionsProps = {
  connector: Connector
  /** Its content must be chosen, or its sign-in made, before it syncs. */
  isWaiting: boolean
  onRemove: () => void
}

function Actions({ connector: { id, name, state }, isWaiting, onRemove }: ActionsProps) {
  const { t } = useTranslation('connectors')
  const { pausing, syncing } = useConnectorActions(id)
  const isPaused = state === 'paused'
  const others = [
    { key: 'remove', label: t('remove.action'), Icon: Trash2, act: onRemove, isOff: false },
    { key: 'pause', label: t('pause'), Icon: CirclePause, act: () => pausing.mutate(), isOff: isPaused },
  ]
  return (
    <>
      {others.map(({ key, label, Icon, act, isOff }) => (
        <IconButton key={key} name={label} disabled={isOff} className="max-md:hidden" onClick={act}>
          <Icon aria-hidden className="icon" />
        </IconButton>
      ))}
      <Menu
        align="end"
        trigger={
          <IconButton name={t('more_of', { name })} className="md:hidden">
            <Ellipsis aria-hidden className="icon" />
          </IconButton>
        }
        entries={others.map(({ key, label, Icon, act, isOff }) => ({
          ...{ key, label, icon: <Icon aria-hidden />, disabled: isOff, onSelect: act },
        }))}
      />
      <Button
        disabled={isWaiting || state === 'asking' || state === 'working'}
        busy={syncing.isPending}
        icon={<RefreshCw aria-hidden className="icon" />}
        onClick={() => syncing.mutate()}
        aria-label={t(isPaused ? 'continue' : 'sync_now')}
      >
        <span className="max-md:sr-only">{t(isPaused ? 'continue' : 'sync_now')}</span>
      </Button>
    </>
  )
}
