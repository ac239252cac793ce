import { Link } from '@tanstack/react-router'
import { CirclePause, Ellipsis, RefreshCw, Trash2 } from 'lucide-react'
import type { Connector } from '#shared/knowledge/connectors/connectors.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import { StateBadge } from '../connector-state.tsx'
import { iconOfSource, nameOfSource, placeOf, shortTime } from '../connector-words.ts'
import { isUnread, useConnectorActions, useSignInSource } from '../use-connectors.ts'

type Props = { connector: Connector; onRemove: () => void }

/** A connector in the list: its state, items, size, and last and next sync. */
export function ConnectorRow({ connector, onRemove }: Props) {
  const { t } = useTranslation('connectors')
  const { id, name, source, company_id } = connector
  const Icon = iconOfSource(source)
  const { facts, note, last } = useCounts(connector)
  const place = [nameOfSource(t, source), placeOf(connector), t(company_id ? 'of_company' : 'personal')]
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1.4fr)_140px_minmax(0,0.8fr)_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-3 hover-motion hover:bg-surface max-lg:grid-cols-[auto_minmax(0,1fr)_auto_auto] max-md:grid-cols-[auto_minmax(0,1fr)_auto]">
      <span className="inline-grid size-7 place-items-center rounded-row bg-surface-2 text-ink-2">
        <Icon aria-hidden className="icon-14" />
      </span>
      <div className="min-w-0">
        <h2 className="min-w-0">
          <Link
            to={`/documents/connectors/${id}` as '/documents'}
            dir="auto"
            className="block truncate text-14 font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
        </h2>
        <p className="truncate text-12 text-ink-3">{place.filter(Boolean).join(' · ')}</p>
        <p className="num truncate text-12 text-ink-2 lg:hidden">
          {facts.join(' · ')}
          {note && <span className="text-ink-3"> · {note}</span>}
        </p>
        <p className="num truncate text-12 text-ink-3 lg:hidden">{last}</p>
      </div>
      <span className="max-md:col-span-2 max-md:col-start-2 max-md:row-start-2">
        <StateBadge connector={connector} />
      </span>
      <Counts facts={facts} note={note} />
      <Times connector={connector} />
      <More connector={connector} onRemove={onRemove} />
    </li>
  )
}

/** Items, size and last sync in words, and the errors or the missing items. */
function useCounts({ read, refused, bytes, documents_failed, removal, last_sync_at }: Connector) {
  const { t } = useTranslation('connectors')
  const errors = refused + documents_failed
  const items = t('items', { count: read, shown: formatNumber(read) })
  const last = last_sync_at ? t('last', { time: shortTime(last_sync_at) }) : t('never_synced')
  const note =
    removal?.state === 'asked'
      ? t('would_vanish', { count: removal.missing, shown: formatNumber(removal.missing) })
      : errors > 0 && t('errors', { count: errors, shown: formatNumber(errors) })
  return { facts: [items, sizeText(t, bytes)], note, last }
}

function Counts({ facts, note }: Pick<ReturnType<typeof useCounts>, 'facts' | 'note'>) {
  return (
    <span className="grid min-w-0 text-right text-13 max-lg:hidden">
      <span className="num truncate">{facts.join(' · ')}</span>
      {note && <span className="num truncate text-12 text-ink-3">{note}</span>}
    </span>
  )
}

function Times({ connector: { last_sync_at, next_sync_at, state } }: Pick<Props, 'connector'>) {
  const { t } = useTranslation('connectors')
  return (
    <span className="grid min-w-0 pl-3 text-12 max-lg:hidden">
      <span className="num truncate">
        {last_sync_at ? t('last', { time: shortTime(last_sync_at) }) : t('never_synced')}
      </span>
      <span className="num truncate text-ink-3">
        {state === 'working' && t('syncs_now')}
        {state !== 'working' &&
          (next_sync_at ? t('next_at', { time: shortTime(next_sync_at) }) : t(`waits.${state}`))}
      </span>
    </span>
  )
}

function More({ connector, onRemove }: Props) {
  const { t } = useTranslation('connectors')
  const { id, name, state } = connector
  const { pausing, syncing } = useConnectorActions(id)
  const hasPage = useSignInSource(connector) !== null
  const isWaiting = hasPage && (isUnread(connector) || state === 'signed_out')
  return (
    <Menu
      align="end"
      trigger={
        <IconButton name={t('more_of', { name })} size="sm" className="relative z-1">
          <Ellipsis aria-hidden className="icon" />
        </IconButton>
      }
      entries={[
        {
          label: t(state === 'paused' ? 'continue' : 'sync_now'),
          icon: <RefreshCw aria-hidden />,
          disabled: isWaiting || state === 'asking' || state === 'working',
          onSelect: () => syncing.mutate(),
        },
        {
          label: t('pause'),
          icon: <CirclePause aria-hidden />,
          disabled: state === 'paused',
          onSelect: () => pausing.mutate(),
        },
        { label: t('remove.action'), icon: <Trash2 aria-hidden />, tone: 'danger', onSelect: onRemove },
      ]}
    />
  )
}
