import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useId, useMemo, useState } from 'react'
import type { MapMessage } from '#shared/chat/branches/branches.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { actionOf, useKeysOf } from '../../platform/lib/me/shortcuts.ts'
import { Kbd, shortcutLabel } from '../../platform/ui/kbd.tsx'
import { MapGraph, ROW_PX, textIndent } from './map-graph.tsx'
import { layOut, type MapLayout } from './map-layout.ts'
import { MapLegend } from './map-legend.tsx'
import { MapPreview } from './map-preview.tsx'
import { MapRowView } from './map-rows.tsx'
import { useRowWindow } from './row-window.ts'
import { walk } from './walk.ts'

type BranchMapProps = {
  messages: readonly MapMessage[]
  /** The end of the current path. */
  leafId: string | null
  /** Called to show the branch of a message. */
  onOpen: (messageId: string) => void
  /** Opened on request, so it takes the focus. */
  takesFocus?: boolean
}

/** Every branch of a chat as a graph. Focus and hover preview a message; Enter or a click opens it. */
export function BranchMap({ messages, leafId, onOpen, takesFocus = false }: BranchMapProps) {
  const { t } = useTranslation('streaming_blocks')
  const id = useId()
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const layout = useMemo(() => layOut(messages, leafId, unfolded), [messages, leafId, unfolded])
  const [currentId, setCurrentId] = useState(leafId)
  const current = layout.rowOf.get(currentId ?? '') ?? layout.rowOf.get(leafId ?? '') ?? 0
  const [pointed, setPointed] = useState<number | null>(null)
  const [hasFocus, setFocus] = useState(false)
  const rows = useRowWindow(layout.rows.length, ROW_PX, layout.rowOf.get(leafId ?? '') ?? 0)

  const { scroller } = rows
  useEffect(() => {
    if (takesFocus) scroller.current?.focus({ preventScroll: true })
  }, [takesFocus, scroller])

  const open = useCallback(
    (at: number) => {
      const row = layout.rows[at]
      if (!row) return
      setCurrentId(row.id)
      if (row.folded > 0) setUnfolded((known) => new Set([...known, row.id]))
      else onOpen(row.id)
    },
    [layout, onOpen],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const action = actionOf(event, 'branches')
    const next = action && walk(layout, current, action)
    if (action === 'open_message' || event.key === ' ') open(current)
    else if (next === null) return
    event.preventDefault()
    if (next === null) return
    setPointed(null)
    setCurrentId(layout.rows[next]?.id ?? null)
    rows.reveal(next)
  }
  const shown = pointed ?? (hasFocus ? current : null)
  return (
    <>
      <MapLegend />
      <div
        ref={scroller}
        role="tree"
        tabIndex={0}
        aria-label={t('panel.branches')}
        aria-activedescendant={`${id}-${current}`}
        aria-describedby={shown === null ? undefined : `${id}-preview`}
        onKeyDown={onKeyDown}
        onFocus={(event: FocusEvent<HTMLElement>) => setFocus(event.target.matches(':focus-visible'))}
        onBlur={() => setFocus(false)}
        className="group/tree min-h-0 flex-1 overflow-y-auto p-2 outline-none"
      >
        {/* biome-ignore lint/a11y/useSemanticElements: it only holds the items of the tree. */}
        <div role="group" className="relative" style={{ height: layout.rows.length * ROW_PX }}>
          <MapGraph layout={layout} from={rows.from} to={rows.to} />
          {drawnRows(layout, rows.from, rows.to, current).map((at) => (
            <MapRowView
              key={layout.rows[at]!.id}
              row={layout.rows[at]!}
              at={at}
              id={`${id}-${at}`}
              indent={textIndent(layout)}
              isCurrent={at === current}
              onPoint={setPointed}
              onOpen={open}
            />
          ))}
        </div>
      </div>
      <MapKeys />
      {shown !== null && layout.rows[shown]?.folded === 0 && (
        <MapPreview
          key={layout.rows[shown].id}
          row={layout.rows[shown]}
          id={`${id}-preview`}
          beside={rows.rectOf(shown)}
        />
      )}
    </>
  )
}

/** Renders rows near the screen, and the current one, which assistive technology references. */
function drawnRows({ rows }: MapLayout, from: number, to: number, current: number): number[] {
  const drawn = rows.slice(from, to).map((_, at) => from + at)
  return current >= from && current < to ? drawn : [...drawn, current].filter((at) => rows[at])
}

function MapKeys() {
  const { t } = useTranslation('streaming_blocks')
  const keysOf = useKeysOf()
  return (
    <p className="flex min-h-12 flex-none flex-wrap items-center gap-1.5 border-t border-line px-4 py-2 text-12 text-ink-3 max-md:hidden touch:hidden">
      <Kbd>{shortcutLabel(keysOf('branch_up'))}</Kbd>
      <Kbd>{shortcutLabel(keysOf('branch_down'))}</Kbd>
      {t('branch.key_along')}
      <Kbd>{shortcutLabel(keysOf('branch_before'))}</Kbd>
      <Kbd>{shortcutLabel(keysOf('branch_after'))}</Kbd>
      {t('branch.key_between')}
      <Kbd>{shortcutLabel(keysOf('open_message'))}</Kbd>
      {t('branch.key_go')}
    </p>
  )
}
