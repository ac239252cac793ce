import { useNavigate } from '@tanstack/react-router'
import clsx from 'clsx'
import { type DragEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { useCommands } from '../../platform/commands/commands.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { setSheetOpen } from '../../platform/lib/layout.ts'
import { CHATS_TYPE } from './dragged-chats.ts'
import { HistoryHeader } from './history/history-header.tsx'
import { HistoryRow } from './history/history-row.tsx'
import { isNearEnd, OVERSCAN, type HistoryRow as Row } from './history/history-rows.ts'
import { MoreLoader } from './history/history-states.tsx'
import { followPin } from './history/pin-drag.ts'
import type { Mark } from './history/row-menu.tsx'
import { noSelection, type Selection, selectRange, toggleAll, toggleSelected } from './history/selection.ts'
import { addressOf } from './history/session-mark.ts'
import { useHistoryKeys } from './history/use-history-keys.ts'
import { useHistoryVirtualizer } from './history/use-history-virtualizer.ts'
import { useRowFocus } from './history/use-row-focus.ts'
import { useUndo } from './undo.ts'
import type { useRename } from './use-rename.ts'

/** Height of one offer to undo, with its margin. */
const UNDO_ROW_PX = 52

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
  mark: Mark
  onTag: (sessions: Session[]) => void
  onPlace: ((ids: readonly string[]) => void) | null
  /** Opens the archive; null where it is open already. */
  onArchive: (() => void) | null
}

/** The scrolled rows of the history: virtualization, keyboard, and loading of further pages. */
export function HistoryRows(props: HistoryRowsProps) {
  const { rows, total, currentId, list, selection, onSelection, rename, mark } = props
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const scroller = useRef<HTMLDivElement>(null)
  const offers = useUndo(({ offered }) => offered.length)
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
    mark((marking) => marking.shift(id, by))
  }
  const open = (session: Session) => {
    setSheetOpen(false)
    void navigate({ href: addressOf(session) })
  }
  const toggle = (id: string, isRange: boolean) =>
    onSelection(isRange ? selectRange(selection, id, order) : toggleSelected(selection, id))

  const menuOf = (session: Session) => async () => {
    const { rowMenu } = await import('./history/row-menu.tsx')
    return rowMenu(t, {
      ...{ session, mark, isCurrent: session.id === currentId },
      onTag: () => props.onTag([session]),
      onPlace: props.onPlace && (() => props.onPlace?.([session.id])),
      onShift: (by) => shift(session.id, by),
      onRename: () => rename.start(session.id),
      onDelete: () => remove([session]),
    })
  }
  const current = sessionRows.find(({ key }) => key === currentId)?.session
  useCommands(() => (current ? menuOf(current) : null))
  const onDragStart = (event: DragEvent) => {
    const list = event.currentTarget as HTMLElement
    const id =
      event.target instanceof Element && event.target.closest<HTMLElement>('[data-session]')?.dataset.session
    if (!id) return
    const dragged = selection.ids.has(id) ? [...selection.ids] : [id]
    event.dataTransfer.setData(CHATS_TYPE, dragged.join(' '))
    const pins = sessionRows.filter(({ session }) => session.pin_position !== null).map(({ key }) => key)
    followPin({ list, id, pins, onMove: (target) => mark((marking) => marking.moveTo(id, target)) })
  }

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
      menu={menuOf(session)}
    />
  )

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the rows and bubble up to here.
    <div
      ref={scroller}
      className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-3"
      // The last rows can be scrolled out from under the offers to undo.
      style={{ paddingBottom: offers * UNDO_ROW_PX }}
      onKeyDown={onKeyDown}
      onDragStart={onDragStart}
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
            <Frame key={item.key} {...{ row, item, isStuck, isFolding, total }}>
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
  children: ReactNode
}

/** Positions a row. While a row collapses, the rows below move up. */
function Frame({ row, item, isStuck, isFolding, total, children }: FrameProps) {
  const isSession = row.kind === 'session'
  const isLeaving = row.kind !== 'loader' && row.folding
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list is one of divs.
    <div
      role="listitem"
      aria-setsize={isSession ? total : undefined}
      aria-posinset={isSession ? row.position : undefined}
      data-session={isSession ? row.key : undefined}
      inert={isLeaving}
      className={clsx(
        isStuck ? 'sticky top-0 z-2' : 'absolute inset-x-0 top-0',
        isFolding && 'transition-[transform,height,opacity,translate] duration-(--d-delete) ease-calm',
        isLeaving && 'overflow-hidden opacity-0 -translate-x-3.5',
        // The row at which a dragged pin would land.
        'data-drop:after:absolute data-drop:after:inset-x-1 data-drop:after:h-0.5 data-drop:after:bg-accent',
        'data-[drop=above]:after:top-0 data-[drop=below]:after:bottom-0',
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
