import { useNavigate } from '@tanstack/react-router'
import clsx from 'clsx'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { setSheetOpen } from '../../platform/lib/layout.ts'
import { HistoryHeader } from './history/history-header.tsx'
import { HistoryRow } from './history/history-row.tsx'
import { isNearEnd, OVERSCAN, type HistoryRow as Row } from './history/history-rows.ts'
import { MoreLoader } from './history/history-states.tsx'
import type { RowActions } from './history/row-menu.tsx'
import { noSelection, type Selection, selectRange, toggleAll, toggleSelected } from './history/selection.ts'
import { addressOf } from './history/session-mark.ts'
import { useHistoryKeys } from './history/use-history-keys.ts'
import { useHistoryVirtualizer } from './history/use-history-virtualizer.ts'
import { type DragHandlers, usePinDrag } from './history/use-pin-drag.ts'
import { useRowFocus } from './history/use-row-focus.ts'
import type { Marking } from './use-marking.ts'
import type { useRename } from './use-rename.ts'

type SessionRow = Extract<Row, { kind: 'session' }>

export type HistoryRowsProps = {
  rows: Row[]
  now: Date
  query: string
  total: number
  currentId: string | null
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => unknown
  }
  selection: Selection
  onSelection: (selection: Selection) => void
  rename: ReturnType<typeof useRename>
  onDelete: (sessions: Session[]) => void
  marking: Marking
  onTag: (sessions: Session[]) => void
  /** Opens the archive; null where it is open already. */
  onArchive: (() => void) | null
}

/** The scrolled rows of the history: virtualization, keyboard, and loading of further pages. */
export function HistoryRows(props: HistoryRowsProps) {
  const { rows, total, currentId, list, selection, onSelection, rename, marking } = props
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const scroller = useRef<HTMLDivElement>(null)
  const sessionRows = useMemo(() => rows.filter((row): row is SessionRow => row.kind === 'session'), [rows])
  const order = useMemo(() => sessionRows.map(({ key }) => key), [sessionRows])
  const focus = useRowFocus(scroller, order, rename.renamingId ?? currentId)
  const pinned = rows.findIndex(({ key }) => key === focus.activeId)
  const { virtualizer, stuck } = useHistoryVirtualizer(scroller, rows, pinned)
  useNextPage(list, virtualizer.range?.endIndex, rows.length)
  const renamingAt = rows.findIndex(({ key }) => key === rename.renamingId)
  useEffect(() => {
    if (renamingAt >= 0) virtualizer.scrollToIndex(renamingAt)
  }, [renamingAt, virtualizer])
  const isFolding = rows.some((row) => row.kind !== 'loader' && row.folding)

  const active = sessionRows.find(({ key }) => key === focus.activeId)?.session
  const chosen = sessionRows.filter(({ key }) => selection.ids.has(key)).map(({ session }) => session)
  const move = (position: number, isRange: boolean) => {
    const id = order[position]
    if (id === undefined) return
    if (isRange) onSelection(selectRange(selection, id, order))
    virtualizer.scrollToIndex(rows.findIndex(({ key }) => key === id))
    focus.moveTo(id)
  }
  const remove = (sessions: Session[]) => {
    if (sessions.length > 0) props.onDelete(sessions)
  }
  const onKeyDown = useHistoryKeys({
    titles: sessionRows.map(({ session }) => session.title),
    at: Math.max(0, order.indexOf(focus.activeId ?? '')),
    isSelecting: selection.isActive,
    move,
    movePin: (by) => active && shift(active.id, by),
    rename: () => active && rename.start(active.id),
    remove: () => remove(selection.isActive ? chosen : active ? [active] : []),
    selectAll: () => onSelection(toggleAll(selection, order)),
    leave: () => onSelection(noSelection),
  })
  const shift = (id: string, by: -1 | 1) => {
    focus.moveTo(id)
    void marking.shift(id, by)
  }
  const open = (session: Session) => {
    setSheetOpen(false)
    void navigate({ href: addressOf(session) })
  }
  const toggle = (id: string, isRange: boolean) =>
    onSelection(isRange ? selectRange(selection, id, order) : toggleSelected(selection, id))

  const pins = sessionRows.filter(({ session }) => !props.query && session.pin_position !== null)
  const organize = (session: Session): RowActions => {
    const at = pins.findIndex(({ key }) => key === session.id)
    return {
      onPin: () => void marking[session.pin_position === null ? 'pin' : 'unpin']([session]),
      onArchive: () => void marking[session.is_archived ? 'restore' : 'archive']([session]),
      onTag: () => props.onTag([session]),
      onUnread: () => void marking[session.is_unread ? 'read' : 'unread']([session]),
      onUp: at > 0 ? () => shift(session.id, -1) : null,
      onDown: at >= 0 && at < pins.length - 1 ? () => shift(session.id, 1) : null,
    }
  }
  const drag = usePinDrag(
    selection.isActive ? [] : pins.map(({ key }) => key),
    (id, target) => void marking.moveTo(id, target),
  )

  const drawSession = ({ key, session }: SessionRow) => (
    <HistoryRow
      session={session}
      now={props.now}
      query={props.query}
      isCurrent={key === currentId}
      isActive={key === focus.activeId}
      isSelecting={selection.isActive}
      isSelected={selection.ids.has(key)}
      isRenaming={key === rename.renamingId}
      onOpen={() => open(session)}
      onToggle={(isRange) => toggle(key, isRange)}
      onFocus={() => focus.setActive(key)}
      onRename={() => rename.start(key)}
      onRenameEnd={(title) => {
        focus.moveTo(key)
        void rename.end(session, title)
      }}
      onDelete={() => remove([session])}
      organize={organize(session)}
    />
  )

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the rows and bubble up to here.
    <div
      ref={scroller}
      className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-3"
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a list in which rows come and go, counted by aria-setsize. */}
      <div
        role="list"
        aria-label={t('history.label')}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index]
          if (!row) return null
          const isStuck = item.index === stuck.current
          return (
            <Frame
              key={item.key}
              {...{ row, item, isStuck, isFolding, total }}
              drag={drag.of(row.key)}
              dropEdge={drag.edgeOf(row.key)}
            >
              {row.kind === 'session' && drawSession(row)}
              {row.kind === 'loader' && <MoreLoader list={list} />}
              {row.kind === 'header' && (
                <HistoryHeader
                  heading={row.heading}
                  {...{ isStuck, selection, total, order, onSelection }}
                  onArchive={props.onArchive}
                />
              )}
            </Frame>
          )
        })}
      </div>
    </div>
  )
}

type FrameProps = {
  row: Row
  item: { size: number; start: number }
  isStuck: boolean
  isFolding: boolean
  total: number
  drag: DragHandlers | undefined
  /** Where a dragged pin would land next to this row. */
  dropEdge: 'above' | 'below' | null
  children: ReactNode
}

/** Positions a row. While a row collapses, the rows below move up. */
function Frame({ row, item, isStuck, isFolding, total, drag, dropEdge, children }: FrameProps) {
  const isSession = row.kind === 'session'
  const isLeaving = row.kind !== 'loader' && row.folding
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list is one of divs.
    <div
      role="listitem"
      {...drag}
      aria-setsize={isSession ? total : undefined}
      aria-posinset={isSession ? row.position : undefined}
      data-session={isSession ? row.key : undefined}
      inert={isLeaving}
      className={clsx(
        isStuck ? 'sticky top-0 z-2' : 'absolute inset-x-0 top-0',
        isFolding && 'transition-[transform,height,opacity,translate] duration-(--d-delete) ease-calm',
        isLeaving && 'overflow-hidden opacity-0 -translate-x-3.5',
        dropEdge &&
          'after:pointer-events-none after:absolute after:inset-x-1 after:h-0.5 after:rounded-pill after:bg-accent',
        dropEdge === 'above' && 'after:top-0',
        dropEdge === 'below' && 'after:bottom-0',
      )}
      style={{ height: item.size, transform: isStuck ? undefined : `translateY(${item.start}px)` }}
    >
      {children}
    </div>
  )
}

/** Loads the next page when the rendered rows come near the end of the loaded ones. */
function useNextPage(list: HistoryRowsProps['list'], endIndex: number | undefined, rowCount: number) {
  const isDue = endIndex !== undefined && isNearEnd(Math.min(endIndex + OVERSCAN, rowCount - 1), rowCount)
  const canLoad = list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError
  const load = list.fetchNextPage
  useEffect(() => {
    if (isDue && canLoad) void load()
  }, [isDue, canLoad, load])
}
