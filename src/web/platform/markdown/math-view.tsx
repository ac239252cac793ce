import { memo, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { renderMath } from './math-engine.ts'

let engine: typeof renderMath | null = null
let starting: Promise<void> | null = null
const listeners = new Set<() => void>()

/** A formula. Its source is shown until the typesetter is loaded, while it is being written, and if it is invalid. */
export const MathView = memo(function MathView({
  tex,
  display,
  open = false,
}: {
  tex: string
  display: boolean
  open?: boolean
}) {
  const host = useRef<HTMLSpanElement>(null)
  const render = useMathEngine()
  const [isWrong, setWrong] = useState(false)
  const isDrawn = render !== null && !open && !isWrong
  useLayoutEffect(() => {
    if (!host.current || !render || open) return
    setWrong(!render(tex, display, host.current))
  }, [render, tex, display, open])
  return (
    // Scrollable content must be reachable by keyboard.
    <span
      dir="ltr"
      className={display ? 'md-math-display' : 'md-math'}
      {...(display && { role: 'math', tabIndex: 0 })}
    >
      <span ref={host} hidden={!isDrawn} />
      {!isDrawn && <code className="md-math-source">{tex}</code>}
    </span>
  )
})

function useMathEngine() {
  return useSyncExternalStore(subscribe, () => {
    if (!engine) void loadEngine()
    return engine
  })
}

function loadEngine(): Promise<void> {
  starting ??= import('./math-engine.ts').then(
    (module) => {
      engine = module.renderMath
      for (const listener of listeners) listener()
    },
    () => {
      starting = null
    },
  )
  return starting
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
