import { type RefObject, useEffect, useRef, useState } from 'react'
import { type InterfaceMessage, type PageMessage, TALLEST } from '#shared/tools/tool-interfaces/messages.ts'
import type { Dialect } from './dialect.ts'
import { createGate } from './gate.ts'

/** Milliseconds an interface has, once its page is there, to say that it listens. */
const READY_MS = 10_000
/** Pixels until it says how high it would be; its place is kept. */
export const FIRST_HEIGHT = 168

/** Why an interface was stopped: it sent too much, never said it listens, or went elsewhere. */
export type Stopped = 'flood' | 'silent' | 'left'

type FrameWish = {
  frame: RefObject<HTMLIFrameElement | null>
  dialect: Dialect
  onReady: (say: (message: PageMessage) => void) => void
  onCall: (call: InterfaceMessage & { type: 'call' }) => void
  onStopped: (why: Stopped) => void
}

/**
 * Speaks with an interface in its frame. Only what comes from that frame is taken, only in the shapes of the protocol, and
 * only so much of it. Gives how high the frame is.
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
    // What has no origin is named by none; it is the one window of this frame.
    const post = (said: unknown) => frame.current?.contentWindow?.postMessage(said, '*')
    const onMessage = (event: MessageEvent) => {
      const target = frame.current?.contentWindow
      if (isOver || !target || event.source !== target) return
      if (!mayPass(performance.now())) return stop('flood')
      const { message, reply } = dialect.read(event.data)
      if (reply !== undefined) post(reply)
      if (!message) return
      if (message.type === 'call') return latest.current.onCall(message)
      if (message.type === 'resize') return setHeight(Math.min(TALLEST, Math.ceil(message.height)))
      clearTimeout(timer)
      isReady = true
      latest.current.onReady((said) => {
        for (const one of dialect.write(said)) post(one)
      })
    }
    const onLoad = () => {
      loads += 1
      // The page of an interface loads once: what comes later is another page.
      if (loads > 1) return stop('left')
      // A module runs before its page counts as loaded.
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
