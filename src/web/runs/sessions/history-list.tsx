import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { buildHistoryRows } from './history/history-rows.ts'
import { HistorySkeleton } from './history/history-states.tsx'
import { noSelection, pruneSelection, type Selection } from './history/selection.ts'
import { HistoryRows } from './history-view.tsx'
import { flattenSessions, totalOf } from './session-pages.ts'
import { titleOf, useSessionHead, useSessionList } from './sessions.ts'
import { useHistorySearch } from './use-history-search.ts'
import { useRename } from './use-rename.ts'
import { useSessionDeletion } from './use-session-deletion.ts'

const ConfirmDialog = lazy(() =>
  import('../../platform/ui/overlays/confirm-dialog.tsx').then((file) => ({ default: file.ConfirmDialog })),
)
const HistorySearch = lazy(() =>
  import('./history-search.tsx').then((file) => ({ default: file.HistorySearch })),
)

const DeleteBar = lazy(() => import('./history/delete-bar.tsx').then((file) => ({ default: file.DeleteBar })))
const loadNoHistory = () => import('./history/no-history.tsx')
const HistoryFailed = lazy(() => loadNoHistory().then((file) => ({ default: file.HistoryFailed })))
const HistoryNothing = lazy(() => loadNoHistory().then((file) => ({ default: file.HistoryNothing })))

/** The history of conversations in the left sidebar: grouped by date, with search, rename, multi-select and delete. */
export function HistoryList() {
  const { t } = useTranslation('common')
  const currentId = useCurrentSessionId()
  const now = useToday()
  const search = useHistorySearch()
  const list = useSessionList(search.query)
  useSessionHead(list.isSuccess)
  const sessions = useMemo(() => flattenSessions(list.data), [list.data])
  const order = useMemo(() => sessions.map(({ id }) => id), [sessions])
  const [chosen, setSelection] = useState<Selection>(noSelection)
  const selection = pruneSelection(chosen, order)
  const rename = useRename(() => toast.error(t('history.rename_failed')))
  const deletion = useSessionDeletion({
    order,
    currentId,
    onFailed: () => toast.error(t('history.delete_failed')),
  })
  const rows = useMemo(
    () =>
      buildHistoryRows({
        sessions,
        now,
        query: search.query,
        hasMore: list.hasNextPage,
        folding: deletion.folding,
      }),
    [sessions, now, search.query, list.hasNextPage, deletion.folding],
  )
  const confirm = () => {
    deletion.confirm()
    setSelection(noSelection)
  }
  return (
    <section aria-label={t('history.label')} className="flex min-h-0 flex-1 flex-col">
      {search.isOpen && (
        <Suspense fallback={null}>
          <HistorySearch search={search} total={list.isSuccess && search.query ? totalOf(list.data) : null} />
        </Suspense>
      )}
      {list.isPending && <HistorySkeleton />}
      <Suspense fallback={null}>
        {list.isError && sessions.length === 0 && (
          <HistoryFailed error={list.error} onRetry={() => void list.refetch()} />
        )}
        {list.isSuccess && sessions.length === 0 && <HistoryNothing query={search.query} />}
      </Suspense>
      {sessions.length > 0 && (
        <HistoryRows
          rows={rows}
          now={now}
          query={search.query}
          total={totalOf(list.data)}
          currentId={currentId}
          list={list}
          selection={selection}
          onSelection={setSelection}
          rename={rename}
          onDelete={deletion.ask}
        />
      )}
      {selection.isActive && (
        <Suspense fallback={<div className="h-14 flex-none border-t border-line bg-raised" />}>
          <DeleteBar
            count={selection.ids.size}
            onCancel={() => setSelection(noSelection)}
            onDelete={() => deletion.ask(sessions.filter(({ id }) => selection.ids.has(id)))}
          />
        </Suspense>
      )}
      <Suspense fallback={null}>
        <ConfirmDialog
          open={deletion.asked.length > 0}
          onOpenChange={(isOpen) => !isOpen && deletion.cancel()}
          title={t('history.confirm_title', { count: deletion.asked.length })}
          message={t('history.confirm_text', {
            count: deletion.asked.length,
            title: deletion.asked[0] && titleOf(deletion.asked[0], t),
          })}
          confirmLabel={t('history.delete')}
          onConfirm={confirm}
        />
      </Suspense>
    </section>
  )
}

/** Returns the session named by the address, or null. */
function useCurrentSessionId(): string | null {
  return useLocation({ select: ({ pathname }) => /^\/chat\/([^/]+)/.exec(pathname)?.[1] ?? null })
}

/** Returns the current date, updated when a new day begins, because rows depend on it. */
function useToday(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => {
      setNow((before) => (before.toDateString() === new Date().toDateString() ? before : new Date()))
    }, 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
