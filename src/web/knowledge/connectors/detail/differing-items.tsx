import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import type { ConnectorItem, ItemState } from '#shared/knowledge/connectors/connector-items.ts'
import type { Connector } from '#shared/knowledge/connectors/connectors.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { sizeText } from '../../../platform/ui/files/file-size.ts'
import { Pager } from '../../../platform/ui/pager.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { LoadFailure } from '../../../platform/ui/states/load-failure.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { timeText, versionOf } from '../connector-words.ts'
import { CONNECTORS_PAGE, useConnectorActions, useDifferingItems } from '../use-connectors.ts'
import { isWebAddress } from '../web-address.ts'

/** The items whose state here differs from the source, each with its reason. */
export function DifferingItems({ connector }: { connector: Connector }) {
  const { t } = useTranslation('connectors')
  const [state, setState] = useState<ItemState | null>(null)
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useDifferingItems(
    connector.id,
    state,
    page,
    versionOf(connector),
  )
  const hasMore = data && data.total > page * CONNECTORS_PAGE
  const choose = (next: ItemState | null) => {
    setState(next)
    setPage(1)
  }
  return (
    <div className="grid grid-cols-1 gap-4 pt-4">
      <div className="flex flex-wrap items-center gap-3">
        <Choice name={t('differ.show')}>
          <Segment isOn={state === null} onClick={() => choose(null)}>
            {t('differ.all')}
          </Segment>
          {(['refused', 'failed', 'waiting', 'missing'] as const).map((one) => (
            <Segment key={one} isOn={state === one} onClick={() => choose(one)}>
              {t(`differ.${one}`)}
            </Segment>
          ))}
        </Choice>
        {data && (
          <span className="num text-13 text-ink-3" role="status">
            {t('differ.count', { count: data.total, shown: formatNumber(data.total) })}
          </span>
        )}
      </div>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12']} />}
      {error && !data && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && <EmptyState title={t('differ.none')}>{t('differ.none_text')}</EmptyState>}
      {data && data.items.length > 0 && (
        <ul aria-label={t('tabs.items')} className="divide-y divide-line rounded-card border border-line">
          {data.items.map((item) => (
            <ItemRow key={item.id} item={item} connectorId={connector.id} />
          ))}
        </ul>
      )}
      <Pager
        page={page}
        hasMore={Boolean(hasMore)}
        onPage={setPage}
        before={t('previous')}
        after={t('next')}
      />
    </div>
  )
}

type RowProps = { item: ConnectorItem; connectorId: string }

function ItemRow({ item, connectorId }: RowProps) {
  const { t } = useTranslation('connectors')
  const { retrying } = useConnectorActions(connectorId)
  const { id, name, path, state, size, since, tries, url } = item
  const facts = [path, size !== null && sizeText(t, size), t('differ.since', { time: timeText(since) })]
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <p dir="auto" className="truncate text-14 font-medium">
          {name}
        </p>
        <p className={state === 'waiting' ? 'text-13 text-ink-2' : 'text-13 text-warning'}>
          <Reason item={item} />
        </p>
        <p className="num text-12 text-ink-3 wrap-anywhere">
          {facts.filter(Boolean).join(' · ')}
          {tries > 1 && ` · ${t('differ.tries', { count: tries })}`}
        </p>
      </div>
      {isWebAddress(url) && (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1 rounded-control text-13 text-accent hover:underline max-md:min-h-11"
        >
          {t('differ.at_source')}
          <ArrowUpRight aria-hidden className="icon-14" />
        </a>
      )}
      {(state === 'refused' || state === 'failed') && (
        <Button
          size="sm"
          busy={retrying.isPending}
          aria-label={t('differ.retry_of', { name })}
          onClick={() => retrying.mutate(id)}
        >
          {t('common:actions.retry')}
        </Button>
      )}
    </li>
  )
}

function Reason({ item: { state, reason, detail } }: Pick<RowProps, 'item'>) {
  const { t } = useTranslation('connectors')
  if (reason === null) return t(`item_state.${state}`)
  return (
    <>
      {t(`reason.${reason}`)}
      {detail && (
        <span className="block text-12 text-ink-3 wrap-anywhere" lang="en">
          {detail}
        </span>
      )}
    </>
  )
}
