import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { prefersReducedMotion } from '../../../platform/lib/page-state.ts'
import { usePrinting } from '../../../platform/lib/printing/printing.ts'
import { WritingElsewhere } from '../branching/lazy-branches.tsx'
import { loadGap, loadOlder } from '../chat/chat.ts'
import { gapOf, type MessageState, messageStore, useMessages } from '../chat/message-store.ts'
import { EarlierMessages } from './earlier-messages.tsx'
import { keepHeight } from './heights.ts'
import { MessageRow } from './message-row.tsx'
import { PrintedMessages } from './printed-messages.tsx'
import { Scroll } from './scroll.ts'
import { useAnswerInView } from './use-answer-in-view.ts'
import { useHoldAtEnd } from './use-hold-at-end.ts'
import { useWholeBranchKeys } from './use-whole-branch-keys.ts'

/** Duration of the mark on a message navigated to. */
const markedMs = 2000
/** Time for which rows are measured again after one has changed its height. */
const settleMs = 300
/** Time in which messages above a target are measured. */
const settledMs = 1000

/**
 * The messages of a chat: a virtual list of the earlier ones, then the last turn in the normal flow, so that text being
 * written never passes through the list. A turn sent from here gets a screen of space and does not move.
 */
export function Transcript({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('streaming_blocks')
  const order = useMessages((state) => state.order)
  const lastTurnAt = useMessages(lastTurnStart)
  const total = useMessages((state) => state.total)
  const hasOlder = useMessages((state) => state.hasOlder)
  const sentKey = useMessages((state) => state.sentKey)
  const heldKey = useMessages((state) => state.heldKey)
  const isSwitching = useMessages((state) => state.isBranchSwitching)
  // State instead of a ref, because the list inside needs the element in its first effects.
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const content = useRef<HTMLDivElement>(null)
  const turn = useRef<HTMLDivElement>(null)
  const [isAway, setAway] = useState(false)
  const [scroll] = useState(() => new Scroll(setAway))
  const earlier = useMemo(() => order.slice(0, lastTurnAt), [order, lastTurnAt])
  const isSentHere = useMessages(
    (state) => state.messagesById[state.order[lastTurnAt] ?? '']?.key === state.sentKey,
  )
  const hasRoom = useRoomSinceSwitch(isSwitching)
  const missing = useMessages((state) => state.gap)
  const gap = useMemo(() => gapOf({ gap: missing, order }), [missing, order])
  const onNearStart = useCallback(() => void loadOlder().catch(() => undefined), [])
  const onNearGap = useCallback((from: 'above' | 'below') => void loadGap(from).catch(() => undefined), [])

  useLayoutEffect(() => {
    scroll.attach(scroller, () => turn.current?.lastElementChild ?? null)
    return () => scroll.attach(null)
  }, [scroll, scroller])
  useOpenAtEnd(scroll, scroller, sessionId)
  useSize(content, () => scroll.changed())
  useSize(turn, () => keepTurnHeights(turn.current))
  useLayoutEffect(() => {
    if (sentKey && turn.current) scroll.glideTo(turn.current, isSmooth())
  }, [sentKey, scroll])

  useLayoutEffect(() => {
    if (!heldKey) return
    return scroll.hold(() => document.querySelector(`[data-message="${CSS.escape(heldKey)}"]`))
  }, [heldKey, scroll])
  useHoldEdited(scroll)
  useHoldAtEnd(scroll, scroller, turn)
  useAnswerInView(scroll, scroller, turn, isSmooth)
  const branchId = useMessages((state) => state.currentBranchId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another branch, gone to as a whole, opens at its end.
  useLayoutEffect(() => {
    const { isBranchSwitching, heldKey, target } = messageStore.getState()
    if (isBranchSwitching && !heldKey && !target) scroll.toEnd()
  }, [branchId, scroll])
  useTarget(scroll, turn)
  useWholeBranchKeys()
  const isPrinting = usePrinting()

  const before = total - order.length
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={setScroller}
        className="transcript h-full overflow-y-auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the transcript is scrolled by keyboard.
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t('transcript')}
        aria-busy={isSwitching || undefined}
      >
        <div ref={content} className="column pb-6">
          {isPrinting && <PrintedMessages ids={earlier} total={total} missing={before} />}
          <EarlierMessages
            ids={earlier}
            gap={gap}
            total={total}
            hasOlder={hasOlder}
            scroller={scroller}
            onNearStart={onNearStart}
            onNearGap={onNearGap}
          />
          <div ref={turn} className={isSentHere || hasRoom ? 'turn-sent' : undefined}>
            {order.slice(lastTurnAt).map((id, at, shown) => (
              <div key={keyOf(id)} data-key={keyOf(id)} className="flow-root">
                <MessageRow
                  id={id}
                  position={before + lastTurnAt + at + 1}
                  total={total}
                  isLast={at === shown.length - 1}
                />
              </div>
            ))}
            <WritingElsewhere />
          </div>
        </div>
      </div>
      {isAway && (
        <button
          type="button"
          onClick={() => scroll.toEnd({ smooth: isSmooth() })}
          className="jump-motion print:hidden absolute bottom-3 left-1/2 inline-flex h-8 -translate-x-1/2 items-center gap-1.5 rounded-pill bg-raised pr-3 pl-2.5 text-12 font-medium shadow-float hover:bg-surface-2 max-md:h-11"
        >
          <ArrowDown aria-hidden className="icon-14" />
          {t('jump_to_latest')}
        </button>
      )}
    </div>
  )
}

const isSmooth = () => !prefersReducedMotion()

/** Returns the start of the last turn: the last message of the person. */
function lastTurnStart({ order, messagesById }: MessageState): number {
  for (let at = order.length - 1; at >= 0; at -= 1) {
    if (messagesById[order[at]!]?.role === 'user') return at
  }
  return Math.max(0, order.length - 1)
}

function keyOf(id: string): string {
  return messageStore.getState().messagesById[id]?.key ?? id
}

/** Keeps a message in place when its editor opens and closes. */
function useHoldEdited(scroll: Scroll): void {
  const key = useMessages((state) => state.messagesById[state.editingId ?? '']?.key ?? null)
  const last = useRef<string | null>(null)
  useLayoutEffect(() => {
    const held = key ?? last.current
    last.current = key
    if (!held) return
    const release = scroll.hold(() => document.querySelector(`[data-message="${CSS.escape(held)}"]`))
    const timer = setTimeout(release, settleMs)
    return () => {
      clearTimeout(timer)
      release()
    }
  }, [key, scroll])
}

/** Scrolls to a message navigated to, focuses it, and marks it briefly. */
function useTarget(scroll: Scroll, turn: React.RefObject<HTMLElement | null>): void {
  const target = useMessages((state) => state.target)
  useLayoutEffect(() => {
    if (!target) return
    const selector = `[data-message="${CSS.escape(keyOf(target.id))}"]`
    const inTurn = turn.current?.querySelector<HTMLElement>(selector)
    // The list of earlier messages scrolls to its own rows.
    if (inTurn) scroll.glideTo(inTurn, false)
    else scroll.read()
    // Messages above are measured when they are first rendered, which would move it.
    const release = inTurn
      ? scroll.hold(() => document.querySelector(`.transcript ${selector}`))
      : () => undefined
    const settled = setTimeout(release, settledMs)
    let frame = 0
    const arrive = () => {
      const row = document.querySelector<HTMLElement>(`.transcript ${selector}`)
      row?.focus({ preventScroll: true })
      // It may not be rendered yet, or be behind a closing sheet.
      if (document.activeElement !== row) frame = requestAnimationFrame(arrive)
    }
    arrive()
    const timer = setTimeout(() => {
      if (messageStore.getState().target === target) messageStore.setState({ target: null })
    }, markedMs)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      clearTimeout(settled)
      release()
    }
  }, [target, scroll, turn])
}

/** After switching alternatives, the last turn keeps a screen of space, so that a shorter one moves nothing. */
function useRoomSinceSwitch(isSwitching: boolean): boolean {
  const isHeld = useMessages((state) => state.heldKey !== null)
  const [hasRoom, setRoom] = useState(false)
  if (isSwitching && isHeld !== hasRoom) setRoom(isHeld)
  return hasRoom
}

/** A chat opens at its end. */
function useOpenAtEnd(scroll: Scroll, scroller: HTMLElement | null, sessionId: string): void {
  const isLoading = useMessages((state) => state.isLoading)
  const opened = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (isLoading || !scroller || opened.current === sessionId) return
    opened.current = sessionId
    if (!messageStore.getState().sentKey) scroll.toEnd()
  }, [isLoading, sessionId, scroll, scroller])
}

/** Stores the heights of the last turn's rows before they move into the virtual list, which then does not jump. */
function keepTurnHeights(turn: HTMLElement | null): void {
  for (const row of turn?.children ?? []) {
    const { dataset, offsetHeight, offsetWidth } = row as HTMLElement
    keepHeight(dataset.key ?? '', offsetHeight, offsetWidth)
  }
}

function useSize(target: React.RefObject<HTMLElement | null>, onChange: () => void): void {
  const run = useRef(onChange)
  run.current = onChange
  useEffect(() => {
    if (!target.current || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => run.current())
    observer.observe(target.current)
    return () => observer.disconnect()
  }, [target])
}
