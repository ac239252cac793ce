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

// Parts of a page load when first shown, which takes time on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

const hasPage = typeof window !== 'undefined'
// jsdom has no media; by default a page has none.
if (hasPage)
  window.matchMedia ??= (() => ({ matches: false, addEventListener() {}, removeEventListener() {} })) as never
/** Objects that tests patch: the window, and the prototypes of its elements. */
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
  // Vitest hides overrides of jsdom's window behind an accessor.
  const names = place === globalThis ? Reflect.ownKeys(own).filter((name) => own[name as string]?.set) : []
  return { place, own, read: new Map(names.map((name) => [name, Reflect.get(place, name)])) }
})

/**
 * jsdom drives frames with an interval created on first use. If a test with fake timers created it, no frame would ever
 * fire, so one is created before any test.
 */
const framed = Symbol.for('atrium.frames')
if (hasPage && !Reflect.has(document, framed)) {
  Object.defineProperty(document, framed, { value: true })
  const nextFrame = window.requestAnimationFrame.bind(window)
  const drawFrame = () => void nextFrame(drawFrame)
  drawFrame()
}

/** Module state about a server that must not leak into the next file. */
const forgetting = [
  forget(useChatPanel),
  forget(useCurrentSession),
  forget(useKeyboard),
  forget(useReachability),
  forget(useSessionExpired),
  forget(useUploadState),
]

// Files of a worker share its modules and its window, so each restores them.
afterAll(async () => {
  if (!hasPage) return
  // Code that loads after its page is gone would be missing in later files.
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

/** Values behind an accessor are restored through it. */
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
