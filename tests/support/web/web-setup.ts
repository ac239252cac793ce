import { cleanup, configure } from '@testing-library/react'
import { afterAll, vi } from 'vitest'
import { queryClient } from '../../../src/web/platform/lib/api/query-client.ts'
import { useReachability } from '../../../src/web/platform/lib/api/reachability.ts'
import { useChatPanel } from '../../../src/web/platform/lib/chat-panel.ts'
import { useCurrentSession } from '../../../src/web/platform/lib/current-session.ts'
import { useKeyboard } from '../../../src/web/platform/lib/enter-key.ts'
import { useSessionExpired } from '../../../src/web/platform/lib/me/session-expired.ts'
import { visitWith } from '../../../src/web/platform/lib/me/token.ts'
import { useUploadState } from '../../../src/web/platform/lib/uploads/upload-state.ts'

// Parts of a page are loaded when they are first shown, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

const hasPage = typeof window !== 'undefined'
// jsdom knows no media; unless a test says otherwise, it is a page without any of them.
if (hasPage)
  window.matchMedia ??= (() => ({ matches: false, addEventListener() {}, removeEventListener() {} })) as never
/** What tests put something of their own into: the window, and what all of its elements have in common. */
const places = [
  globalThis,
  ...(hasPage ? [document, navigator, performance] : []),
  ...Object.getOwnPropertyNames(globalThis)
    .filter((name) => /^(Element|Storage|HTML\w*Element)$/.test(name))
    .map((name) => (globalThis as never as Record<string, { prototype: object }>)[name]?.prototype),
].filter((place) => place !== undefined)
type Found = { place: object; own: PropertyDescriptorMap; read: Map<PropertyKey, unknown> }
const found = places.map((place): Found => {
  const own: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(place)
  // Vitest keeps what is laid over the window of jsdom behind an accessor.
  const names = place === globalThis ? Reflect.ownKeys(own).filter((name) => own[name as string]?.set) : []
  return { place, own, read: new Map(names.map((name) => [name, Reflect.get(place, name)])) }
})

/**
 * jsdom draws frames on an interval that it makes when one is first asked for. One made while a test holds the clock would never
 * come, and no frame after it either: so there is always one, made before any test.
 */
const framed = Symbol.for('atrium.frames')
if (hasPage && !Reflect.has(document, framed)) {
  Object.defineProperty(document, framed, { value: true })
  const nextFrame = window.requestAnimationFrame.bind(window)
  const drawFrame = () => void nextFrame(drawFrame)
  drawFrame()
}

/** What a file learnt of its server is no matter of the next one. */
const forgetting = [
  forget(useChatPanel),
  forget(useCurrentSession),
  forget(useKeyboard),
  forget(useReachability),
  forget(useSessionExpired),
  forget(useUploadState),
]

// The files of a worker share its modules and its window: each leaves them to the next as it found them.
afterAll(async () => {
  if (!hasPage) return
  // Code that comes after its page is gone would be missing for good.
  await vi.dynamicImportSettled()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  cleanup()
  queryClient.clear()
  visitWith(null)
  for (const forget of forgetting) forget()
  for (const one of found) restore(one)
  localStorage.clear()
  sessionStorage.clear()
  for (const cookie of document.cookie.split('; ')) {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API.
    document.cookie = `${cookie.split('=')[0]}=; path=/; Max-Age=0`
  }
  history.replaceState(null, '', '/')
  for (const node of [document.documentElement, document.body])
    for (const { name } of [...node.attributes]) node.removeAttribute(name)
  document.body.replaceChildren()
  document.title = ''
})

type State<Value> = { setState: (value: Value, replace: true) => void; getInitialState: () => Value }

function forget<Value>({ setState, getInitialState }: State<Value>): () => void {
  return () => setState(getInitialState(), true)
}

/** What is read through an accessor is put back through it. */
function restore({ place, own, read }: Found): void {
  for (const name of new Set([...Reflect.ownKeys(place), ...Reflect.ownKeys(own)])) {
    const was = own[name as string]
    const is = Object.getOwnPropertyDescriptor(place, name)
    if (was?.set && is?.set === was.set) {
      if (read.has(name) && Reflect.get(place, name) !== read.get(name))
        Reflect.set(place, name, read.get(name))
    } else if (is && !is.configurable) continue
    else if (!was) Reflect.deleteProperty(place, name)
    else if (!is || is.value !== was.value || is.get !== was.get) Object.defineProperty(place, name, was)
  }
}
