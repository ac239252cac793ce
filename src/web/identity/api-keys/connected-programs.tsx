import { useInfiniteQuery } from '@tanstack/react-query'
import { MCP_PATH } from '#shared/identity/programs/addresses.ts'
import { type ConnectedProgram, disconnectProgram, listPrograms } from '#shared/identity/programs/programs.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatCost, formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { RevocableList } from '../../platform/ui/overlays/revocable-list.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { scopeText } from './key-words.ts'

/** Programs the user connected by OAuth, with the address for connecting others. */
export function ConnectedPrograms() {
  const { t } = useTranslation('programs')
  const programs = useInfiniteQuery({
    queryKey: ['programs'],
    queryFn: ({ signal, pageParam }) => call(listPrograms, { query: { page: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ has_more }, pages) => (has_more ? pages.length + 1 : undefined),
  })
  const items = programs.data?.pages.flatMap((page) => page.items) ?? []
  const read = () => void programs.refetch()
  return (
    <section className="grid gap-5">
      <header className="min-w-0">
        <h2 className="text-16 font-semibold">{t('connected.title')}</h2>
        <p className="mt-1 text-13 leading-[19px] text-ink-3">{t('connected.reason')}</p>
        <p className="mt-1 text-13 leading-[19px] wrap-anywhere text-ink-3">
          {t('connected.address', { address: window.location.origin + MCP_PATH })}
        </p>
      </header>
      {programs.isPending && (
        <Delayed>
          <Skeleton className="h-14 rounded-card" />
        </Delayed>
      )}
      {programs.isError && (
        <Callout
          tone="danger"
          title={t('connected.load_failed')}
          action={
            <Button size="sm" onClick={read}>
              {t('connected.retry')}
            </Button>
          }
        >
          {errorText(t, programs.error)}
        </Callout>
      )}
      {programs.isSuccess && items.length === 0 && (
        <p className="text-13 text-ink-3">{t('connected.empty')}</p>
      )}
      {items.length > 0 && <ProgramList items={items} onChanged={read} />}
      {programs.hasNextPage && (
        <Button
          className="justify-self-start"
          busy={programs.isFetchingNextPage}
          onClick={() => void programs.fetchNextPage()}
        >
          {t('connected.older')}
        </Button>
      )}
    </section>
  )
}

function ProgramList({ items, onChanged }: { items: ConnectedProgram[]; onChanged: () => void }) {
  const { t } = useTranslation('programs')
  return (
    <RevocableList
      items={items}
      revoke={({ id }) => call(disconnectProgram, { params: { keyId: id } })}
      onChanged={onChanged}
      words={{
        title: (name) => t('connected.disconnect_title', { name }),
        text: t('connected.disconnect_text'),
        confirm: t('connected.disconnect'),
        done: (name) => t('connected.disconnected', { name }),
        failed: t('connected.disconnect_failed'),
      }}
    >
      {(one, onLeave) => <Program key={one.id} one={one} onLeave={onLeave} />}
    </RevocableList>
  )
}

function Program({ one, onLeave }: { one: ConnectedProgram; onLeave: () => void }) {
  const { t } = useTranslation('programs')
  const { name, scopes, created_at, expires_at, last_used_at, spent } = one
  const used = last_used_at && formatDate(last_used_at, { dateStyle: 'medium', timeStyle: 'short' })
  const day = (time: string) => formatDate(time, { dateStyle: 'medium' })
  return (
    <li className="flex items-center gap-3 py-2.5 pr-3 pl-3.5">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 font-medium">
          <span className="truncate">{name}</span>
          {expires_at && <Badge tone="line">{t('connected.until', { date: day(expires_at) })}</Badge>}
        </div>
        <div className="mt-1 flex flex-wrap gap-1">
          {scopes.map((scope) => (
            <Badge key={scope}>{scopeText(t, scope)}</Badge>
          ))}
        </div>
        <div className="num mt-1 text-12 text-ink-3">
          {t('connected.spent', { spent: formatCost(spent) })}
          {' · '}
          {t('connected.since', { date: day(created_at) })}
          {' · '}
          {used ? t('connected.used', { time: used }) : t('connected.unused')}
        </div>
      </div>
      <Button
        size="sm"
        variant="danger-ghost"
        aria-label={t('connected.disconnect_named', { name })}
        onClick={onLeave}
      >
        {t('connected.disconnect')}
      </Button>
    </li>
  )
}
