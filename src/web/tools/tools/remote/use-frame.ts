import { type RefObject, useEffect, useRef, useState } from 'react'
import {
  type InterfaceMessage,
  MAX_HEIGHT,
  type PageMessage,
} from '#shared/tools/tool-interfaces/messages.ts'
import type { Dialect } from './dialect.ts'
import { createGate } from './gate.ts'

/** Time an interface has after page load to report that it is ready. */
const READY_MS = 10_000
/** Initial height in pixels, reserved until the interface reports its own. */
export const FIRST_HEIGHT = 168

/** Reason an interface was stopped: too many messages, never ready, or navigated away. */
export type Stopped = 'flood' | 'silent' | 'left'

type FrameWish = {
  frame: RefObject<HTMLIFrameElement | null>
  dialect: Dialect
  onReady: (say: (message: PageMessage) => void) => void
  onCall: (call: InterfaceMessage & { type: 'call' }) => void
  onStopped: (why: Stopped) => void
}

/**
 * Exchanges messages with an interface in its frame. Accepts messages only from that frame, only in valid form, and only
 * within the rate limit. Returns the height of the frame.
 */
export function useFrame({ frame, dialect, ...handlers }: FrameWish) {
  const [height, setHeight] = useState(FIRST_HEIGHT)
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    const mayPass = createGate()
    let timer: ReturnType<typeof setTimeout> | undefined
    let loads = 0
    let isReady = false
    let isOver = false
    const stop = (why: Stopped) => {
      if (isOver) return
      isOver = true
      latest.current.onStopped(why)
    }
    // The frame has an opaque origin, so no target origin can name it. The target is this frame's window only.
    const post = (said: unknown) => frame.current?.contentWindow?.postMessage(said, '*')
    const onMessage = (event: MessageEvent) => {
      const target = frame.current?.contentWindow
      if (isOver || !target || event.source !== target) return
      if (!mayPass(performance.now())) return stop('flood')
      const { message, reply } = dialect.read(event.data)
      if (reply !== undefined) post(reply)
      if (!message) return
      if (message.type === 'call') return latest.current.onCall(message)
      if (message.type === 'resize') return setHeight(Math.min(MAX_HEIGHT, Math.ceil(message.height)))
      clearTimeout(timer)
      isReady = true
      latest.current.onReady((said) => {
        for (const one of dialect.write(said)) post(one)
      })
    }
    const onLoad = () => {
      loads += 1
      // An interface loads once. A second load means that it navigated to another page.
      if (loads > 1) return stop('left')
      // Modules run before the load event.
      if (!isReady) timer = setTimeout(() => stop('silent'), READY_MS)
    }
    const element = frame.current
    addEventListener('message', onMessage)
    element?.addEventListener('load', onLoad)
    return () => {
      isOver = true
      clearTimeout(timer)
      removeEventListener('message', onMessage)
      element?.removeEventListener('load', onLoad)
    }
  }, [frame, dialect])
  return height
}
