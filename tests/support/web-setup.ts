import { cleanup, configure } from '@testing-library/react'
import { afterAll, vi } from 'vitest'

// Parts of a page are loaded when they are first shown, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

/** What tests put something of their own into: the window, and what all of its elements have in common. */
const places = [
  globalThis,
  ...Object.getOwnPropertyNames(globalThis)
    .filter((name) => /^(Element|Storage|HTML\w*Element)$/.test(name))
    .map((name) => (globalThis as never as Record<string, { prototype: object }>)[name]?.prototype),
].filter((place) => place !== undefined)
const found = places.map((place) => ({ place, own: Object.getOwnPropertyDescriptors(place) }))

// The files of a worker share its modules and its window: each leaves the window to the next as it found it.
afterAll(() => {
  if (typeof window === 'undefined') return
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  cleanup()
  for (const { place, own } of found) restore(place, own)
  localStorage.clear()
  sessionStorage.clear()
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API.
  for (const cookie of document.cookie.split('; '))
    document.cookie = `${cookie.split('=')[0]}=; path=/; Max-Age=0`
  history.replaceState(null, '', '/')
  for (const node of [document.documentElement, document.body])
    for (const { name } of [...node.attributes]) node.removeAttribute(name)
  document.body.replaceChildren()
  document.title = ''
})

function restore(place: object, own: PropertyDescriptorMap): void {
  for (const name of Reflect.ownKeys(place)) {
    const was = own[name as string]
    const is = Object.getOwnPropertyDescriptor(place, name)
    if (!is?.configurable || (was && is.value === was.value && is.get === was.get)) continue
    if (was) Object.defineProperty(place, name, was)
    else Reflect.deleteProperty(place, name)
  }
  for (const name of Reflect.ownKeys(own)) {
    const was = own[name as string]
    if (was && !Object.hasOwn(place, name)) Object.defineProperty(place, name, was)
  }
}
