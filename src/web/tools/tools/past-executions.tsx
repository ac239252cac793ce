import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, CircleCheck, CirclePause, CircleStop, CircleX, type LucideIcon, RotateCcw } from 'lucide-react'
import { useId } from 'react'
import { readEnding } from '#shared/tools/tools/tool-errors.ts'
import { listToolExecutions, type PastExecution, type Tool } from '#shared/tools/tools/tools.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate, formatNumber } from '../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { Spinner } from '../../platform/ui/states/spinner.tsx'
import { titleOf } from '../../runs/sessions/sessions.ts'
import { summarise } from './look/tool-look.ts'
import { useCardOf } from './look/use-tool-card.ts'

/** Poll interval while an execution in the list is running. */
const POLL_MS = 2_000

type PastExecutionsProps = { tool: Tool; onOpen: (executionId: string) => void }

/** The user's executions of a tool, newest first: result, inputs, place, duration and time. */
export function PastExecutions({ tool, onOpen }: PastExecutionsProps) {
  const { t } = useTranslation('tools')
  const id = useId()
  const past = usePast(tool.id)
  const items = past.data?.pages.flatMap((page) => page.items)
  return (
    <section aria-labelledby={id} className="@container mt-8">
      <h3 id={id} className="mb-2 text-13 font-semibold">
        {t('past.title')}
      </h3>
      {past.isPending && <RowsSkeleton />}
      {past.isError && !items && (
        <Callout
          tone="danger"
          title={t('past.failed')}
          action={
            <Button
              size="sm"
              icon={<RotateCcw aria-hidden className="icon-14" />}
              onClick={() => void past.refetch()}
            >
              {t('common:actions.retry')}
            </Button>
          }
        >
          {errorText(t, past.error)}
        </Callout>
      )}
      {items?.length === 0 && <p className="text-13 text-ink-2">{t('past.empty')}</p>}
      {items && items.length > 0 && (
        <ul className="rounded-card border border-line">
          {items.map((item) => (
            <Row key={item.id} tool={tool} item={item} onOpen={() => onOpen(item.id)} />
          ))}
        </ul>
      )}
      {past.hasNextPage && (
        <Button className="mt-2" busy={past.isFetchingNextPage} onClick={() => void past.fetchNextPage()}>
          {t('past.more')}
        </Button>
      )}
    </section>
  )
}

function usePast(toolId: string) {
  return useInfiniteQuery({
    queryKey: ['tool-executions', toolId],
    queryFn: ({ pageParam, signal }) =>
      call(listToolExecutions, {
        query: { tool_id: toolId, ...(pageParam && { before: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ items, has_more }) => (has_more ? items.at(-1)?.id : undefined),
    refetchInterval: ({ state }) => {
      const goesOn = state.data?.pages.some((page) => page.items.some((item) => item.finished_at === null))
      return goesOn ? POLL_MS : false
    },
    staleTime: 0,
  })
}

function Row({ tool, item, onOpen }: { tool: Tool; item: PastExecution; onOpen: () => void }) {
  const { t } = useTranslation('tools')
  const { card } = useCardOf(tool)
  const words = (card?.summarise ?? summarise)(item.input) || t('past.no_arguments')
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 border-b border-line px-3.5 py-[9px] text-13 last:border-b-0 hover:bg-surface @xl:grid-cols-[112px_minmax(0,2fr)_minmax(0,1fr)_auto_auto]">
      <Outcome item={item} />
      <button
        type="button"
        aria-label={t('past.details', { arguments: words })}
        onClick={onOpen}
        className="truncate text-left font-medium @max-xl:col-span-2 @max-xl:col-start-1 @max-xl:row-start-1 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
      >
        {words}
      </button>
      {item.session_id ? (
        <Link
          to={`/chat/${item.session_id}`}
          className="relative z-1 truncate text-ink-2 hover:text-ink hover:underline @max-xl:col-start-2 @max-xl:row-start-2"
        >
          {titleOf({ id: item.session_id, title: item.session_title ?? '' }, t)}
        </Link>
      ) : (
        <span className="truncate text-ink-3 @max-xl:col-start-2 @max-xl:row-start-2">{t('past.tried')}</span>
      )}
      <span className="num text-right whitespace-nowrap text-ink-2 @max-xl:col-start-3 @max-xl:row-start-1 @xl:min-w-12">
        {durationOf(item, t)}
      </span>
      <time
        dateTime={item.created_at}
        className="num text-right whitespace-nowrap text-ink-3 @max-xl:col-start-3 @max-xl:row-start-2 @xl:min-w-24"
      >
        {formatDate(item.created_at, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })}
      </time>
    </li>
  )
}

const ends: Record<'done' | 'error' | 'declined' | 'stopped', [LucideIcon, string]> = {
  done: [CircleCheck, 'text-success'],
  error: [CircleX, 'text-danger'],
  declined: [Ban, 'text-ink-2'],
  stopped: [CircleStop, 'text-ink-2'],
}

function Outcome({ item: { status, waits, finished_at, error, gave_up } }: { item: PastExecution }) {
  const { t } = useTranslation(['tools', 'streaming_blocks'])
  const look =
    '@max-xl:col-start-1 @max-xl:row-start-2 flex items-center gap-1.5 text-12 font-medium whitespace-nowrap'
  if (waits)
    return (
      <span className={`${look} text-warning`}>
        <CirclePause aria-hidden className="icon-14" />
        {t('past.waiting')}
      </span>
    )
  if (finished_at === null)
    return (
      <span className={`${look} text-accent`}>
        <Spinner className="icon-14" />
        {t('past.running')}
      </span>
    )
  const end = status !== 'complete' ? (readEnding(error) ?? 'error') : gave_up ? 'error' : 'done'
  const [Icon, ink] = ends[end]
  return (
    <span className={`${look} ${ink}`}>
      <Icon aria-hidden className="icon-14" />
      {t(`streaming_blocks:tool.${end}`)}
    </span>
  )
}

function durationOf({ worked_ms }: PastExecution, t: TFunction) {
  if (worked_ms === null) return ''
  const seconds = worked_ms / 1000
  const shown = formatNumber(Math.max(seconds, 0.1), { maximumFractionDigits: seconds < 10 ? 1 : 0 })
  return t('tools:past.seconds', { value: seconds < 0.1 ? `< ${shown}` : shown })
}

function RowsSkeleton() {
  const { t } = useTranslation('tools')
  return (
    <div role="status">
      <span className="sr-only">{t('past.loading')}</span>
      <Delayed>
        <Skeleton className="h-28 w-full rounded-card" />
      </Delayed>
    </div>
  )
}
