/** Distance to the end that counts as being there. */
export const nearPx = 40
/** Time after a gesture within which a scroll is the reader's own. */
const gestureMs = 400

export type ScrollMode = 'reading' | 'following'

/**
 * Owns the scroll position of the transcript. `reading`: nothing moves by itself. `following`: the end stays visible while
 * it grows. Only the reader's gestures switch between them, never positions, because corrections of a virtual list scroll
 * too.
 */
export class Scroll {
  mode: ScrollMode = 'reading'
  /** The reader has scrolled since something was last scrolled into view for them. */
  isLeft = false
  private element: HTMLElement | null = null
  private gestureAt = Number.NEGATIVE_INFINITY
  private touchY = 0
  private isAway = false
  private readonly onAway: (isAway: boolean) => void
  private lastRow: () => Element | null = () => null
  private held: { find: () => HTMLElement | null; top: number } | null = null
  private stopListening: (() => void) | null = null

  /** `onAway` is called when the end leaves the view, and when it returns. */
  constructor(onAway: (isAway: boolean) => void) {
    this.onAway = onAway
  }

  /** `lastRow` is what must be visible at the end; below it, a new turn has empty space. */
  attach(element: HTMLElement | null, lastRow: () => Element | null = () => null): void {
    this.stopListening?.()
    this.lastRow = lastRow
    this.element = element
    if (element) this.stopListening = this.listen(element)
  }

  /** Scrolls to the end and stays there. */
  toEnd({ smooth = false }: { smooth?: boolean } = {}): void {
    this.mode = 'following'
    this.element?.scrollTo({ top: this.element.scrollHeight, behavior: smooth ? 'smooth' : 'instant' })
    this.look()
  }

  /** Leaves the reader in place from here on. */
  read(): void {
    this.mode = 'reading'
    this.held = null
  }

  /** Scrolls an element near the top and leaves the reader in place afterwards. */
  glideTo(target: HTMLElement, smooth: boolean): void {
    if (!this.element) return
    this.read()
    this.isLeft = false
    const top =
      this.element.scrollTop + target.getBoundingClientRect().top - this.element.getBoundingClientRect().top
    this.element.scrollTo({ top, behavior: smooth ? 'smooth' : 'instant' })
  }

  /**
   * Keeps an element in place on screen, whatever happens around it, until the returned function is called. `find` looks it
   * up each time, because it may be remounted.
   */
  hold(find: () => HTMLElement | null): () => void {
    const element = find()
    if (!element) return () => undefined
    this.mode = 'reading'
    const held = { find, top: element.getBoundingClientRect().top }
    this.held = held
    let frame = 0
    const again = () => {
      this.keepHeld()
      frame = requestAnimationFrame(again)
    }
    again()
    return () => {
      cancelAnimationFrame(frame)
      if (this.held === held) this.held = null
    }
  }

  private keepHeld(): void {
    const element = this.held?.find()
    if (!this.held || !element || !this.element) return
    const moved = element.getBoundingClientRect().top - this.held.top
    if (Math.abs(moved) >= 1) this.element.scrollTop += moved
  }

  /** Called when something grew, shrank or appeared. */
  changed(): void {
    this.keepHeld()
    if (this.mode === 'following' && this.element) this.element.scrollTop = this.element.scrollHeight
    this.look()
  }

  private distance(): number {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = this.element ?? {}
    return scrollHeight - scrollTop - clientHeight
  }

  private hiddenBelow(): number {
    const last = this.lastRow()
    if (!last || !this.element) return this.distance()
    return last.getBoundingClientRect().bottom - this.element.getBoundingClientRect().bottom
  }

  private look(): void {
    const isAway = this.hiddenBelow() > nearPx
    if (isAway === this.isAway) return
    this.isAway = isAway
    this.onAway(isAway)
  }

  private gesture(isUp: boolean): void {
    this.gestureAt = performance.now()
    this.isLeft = true
    if (isUp) this.mode = 'reading'
  }

  private listen(element: HTMLElement): () => void {
    const listening = new AbortController()
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      run: (event: HTMLElementEventMap[Name]) => void,
    ) => element.addEventListener(name, run, { passive: true, signal: listening.signal })
    on('wheel', (event) => {
      this.held = null
      this.gesture(event.deltaY < 0)
    })
    on('pointerdown', () => this.gesture(false))
    on('touchstart', (event) => {
      this.touchY = event.touches[0]?.clientY ?? 0
    })
    on('touchmove', (event) => {
      this.held = null
      this.gesture((event.touches[0]?.clientY ?? 0) > this.touchY)
    })
    on('keydown', (event) => {
      if (['PageUp', 'Home', 'ArrowUp'].includes(event.key)) this.gesture(true)
      if (['PageDown', 'End', 'ArrowDown', ' '].includes(event.key)) this.gesture(false)
    })
    on('scroll', () => {
      const isOwn = performance.now() - this.gestureAt < gestureMs
      if (isOwn && this.mode === 'reading' && this.distance() <= nearPx) this.mode = 'following'
      this.look()
    })
    const onSelection = () => {
      const selection = document.getSelection()
      if (selection && !selection.isCollapsed && element.contains(selection.anchorNode)) this.mode = 'reading'
    }
    document.addEventListener('selectionchange', onSelection, { signal: listening.signal })
    return () => listening.abort()
  }
}
