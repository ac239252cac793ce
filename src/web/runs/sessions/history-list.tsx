import { useLocation } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { keyOfFilter, useHistoryFilter } from './history/history-filter.ts'
import { buildHistoryRows } from './history/history-rows.ts'
import { HistorySkeleton } from './history/history-states.tsx'
import type { Mark } from './history/row-menu.tsx'
import { noSelection, pruneSelection, type Selection } from './history/selection.ts'
import { HistoryRows } from './history-view.tsx'
import type { Marking } from './marking.ts'
import { flattenSessions, pinnedFirst, totalOf } from './session-pages.ts'
import { titleOf, useSessionHead, useSessionList } from './sessions.ts'
import { useUndo } from './undo.ts'
import { useHistorySearch } from './use-history-search.ts'
import { useRename } from './use-rename.ts'
import { useSessionDeletion } from './use-session-deletion.ts'

const ConfirmDialog = lazy(() =>
  import('../../platform/ui/overlays/confirm-dialog.tsx').then((file) => ({ default: file.ConfirmDialog })),
)
const HistorySearch = lazy(() =>
  import('./history-search.tsx').then((file) => ({ default: file.HistorySearch })),
)

const SelectionBar = lazy(() =>
  import('./history/selection-bar.tsx').then((file) => ({ default: file.SelectionBar })),
)
const FilterBar = lazy(() => import('./history/filter-bar.tsx').then((file) => ({ default: file.FilterBar })))
const TagDialog = lazy(() => import('./history/tag-dialog.tsx').then((file) => ({ default: file.TagDialog })))
const LearnedFacts = lazy(() =>
  import('./history/learned-facts.tsx').then((file) => ({ default: file.LearnedFacts })),
)
const UndoBar = lazy(() => import('./history/undo-bar.tsx').then((file) => ({ default: file.UndoBar })))
const loadNoHistory = () => import('./history/no-history.tsx')
const HistoryFailed = lazy(() => loadNoHistory().then((file) => ({ default: file.HistoryFailed })))
const HistoryNothing = lazy(() => loadNoHistory().then((file) => ({ default: file.HistoryNothing })))

/** Maximum number of chats in one export, the number of exports a person can have. */
const MAX_EXPORTED = 20

type HistoryListProps = {
  /** Draws the export of chats; null where the person may not export. */
  exportOf?: ((ids: readonly string[], onClose: () => void) => ReactNode) | null
  /** Asks where to move chats; null without projects. */
  onPlace?: ((ids: readonly string[]) => void) | null
}

/** The history of conversations in the left sidebar: pins first, then by date, with search, filters and multi-select. */
export function HistoryList({ exportOf = null, onPlace = null }: HistoryListProps) {
  const { t } = useTranslation('common')
  const currentId = useCurrentSessionId()
  const now = useToday()
  const search = useHistorySearch()
  const [filter, setFilter] = useHistoryFilter()
  const openArchive = () => setFilter({ isArchived: true, tags: [] })
  const list = useSessionList(search.query, filter)
  useSessionHead(list.isSuccess)
  const sessions = useMemo(
    () => (search.query ? flattenSessions(list.data) : pinnedFirst(list.data)),
    [list.data, search.query],
  )
  const order = useMemo(() => sessions.map(({ id }) => id), [sessions])
  const [chosen, setSelection] = useState<Selection>(noSelection)
  const selection = pruneSelection(chosen, order)
  const rename = useRename(() => toast.error(t('history.rename_failed')))
  const deletion = useSessionDeletion({
    order,
    currentId,
    onFailed: () => toast.error(t('history.delete_failed')),
  })
  const mark: Mark = (act) =>
    void import('./marking.ts').then(
      ({ createMarking }) => act(createMarking()),
      () => toast.error(t('errors.network')),
    )
  const [taggedIds, setTagged] = useState<readonly string[]>([])
  const tagged = sessions.filter(({ id }) => taggedIds.includes(id))
  const [exported, setExported] = useState<readonly string[]>([])
  const hasUndo = useUndo(({ offered }) => offered.length > 0)
  const hasTags = sessions.some(({ tags }) => tags.length > 0)
  const selected = sessions.filter(({ id }) => selection.ids.has(id))
  const finish = (act: (marking: Marking) => unknown) => () => {
    mark(act)
    setSelection(noSelection)
  }
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
          <HistorySearch
            search={search}
            total={list.isSuccess && search.query ? totalOf(list.data) : null}
            isSettled={search.typed.trim() === search.query && list.isSuccess && !list.isPlaceholderData}
          />
        </Suspense>
      )}
      {(hasTags || keyOfFilter(filter) !== null) && (
        <Suspense fallback={null}>
          <FilterBar
            filter={filter}
            onFilter={setFilter}
            total={list.isSuccess && !search.query ? totalOf(list.data) : null}
          />
        </Suspense>
      )}
      {list.isPending && <HistorySkeleton />}
      <Suspense fallback={null}>
        {list.isError && sessions.length === 0 && (
          <HistoryFailed error={list.error} onRetry={() => void list.refetch()} />
        )}
        {list.isSuccess && sessions.length === 0 && (
          <HistoryNothing query={search.query} filter={filter} onArchive={openArchive} />
        )}
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
          mark={mark}
          onTag={(chats) => setTagged(chats.map(({ id }) => id))}
          onPlace={onPlace}
          onArchive={filter.isArchived ? null : openArchive}
        />
      )}
      {hasUndo && (
        <Suspense fallback={null}>
          <UndoBar />
        </Suspense>
      )}
      {selection.isActive && (
        <Suspense fallback={<div className="h-14 flex-none border-t border-line bg-raised" />}>
          <SelectionBar
            count={selected.length}
            isArchive={filter.isArchived}
            onArchive={finish((marking) => marking[filter.isArchived ? 'restore' : 'archive'](selected))}
            onTag={() => setTagged(selected.map(({ id }) => id))}
            onPlace={
              onPlace &&
              (() => {
                onPlace(selected.map(({ id }) => id))
                setSelection(noSelection)
              })
            }
            onRead={finish((marking) => marking.read(selected))}
            onExport={
              exportOf && selected.length <= MAX_EXPORTED
                ? () => setExported(selected.map(({ id }) => id))
                : null
            }
            onDelete={() => deletion.ask(selected)}
            onCancel={() => setSelection(noSelection)}
          />
        </Suspense>
      )}
      <Suspense fallback={null}>
        {tagged.length > 0 && (
          <TagDialog
            sessions={tagged}
            onTag={(tag, isOn) => mark((marking) => marking.tag(tagged, tag, isOn))}
            onClose={() => setTagged([])}
          />
        )}
        {exported.length > 0 && exportOf?.(exported, () => setExported([]))}
      </Suspense>
      <Suspense fallback={null}>
        <ConfirmDialog
          open={deletion.asked.length > 0}
          onOpenChange={(isOpen) => !isOpen && deletion.cancel()}
          title={t('history.confirm_title', { count: deletion.asked.length })}
          message={
            <>
              {t('history.confirm_text', {
                count: deletion.asked.length,
                title: deletion.asked[0] && titleOf(deletion.asked[0], t),
              })}
              <LearnedFacts
                sessions={deletion.asked}
                checked={deletion.forgets}
                onChange={deletion.setForgets}
              />
            </>
          }
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
