import { cleanup, configure } from '@testing-library/react'
import { afterAll, vi } from 'vitest'

// Parts of a page are loaded when they are first shown, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

// Files share a process and a window, because to make these anew costs more than most tests; the modules are new for each.
vi.resetModules()
const places: object[] = [globalThis, document, navigator, Element.prototype]
const before = places.map(
  (place) => [place, new Map(ownNames(place).map((name) => [name, describe(place, name)]))] as const,
)

/** Most of the window stands behind getters that hide what was assigned. */
const values = new Map(ownNames(globalThis).map((name) => [name, Reflect.get(globalThis, name)]))

/** Nothing of a file is left to the next: no page, no memory, nothing laid over the window. */
afterAll(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  document.head.replaceChildren()
  document.body.replaceChildren()
  for (const element of [document.documentElement, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  for (const [place, known] of before) putBack(place, known)
  for (const [name, value] of values)
    if (!Object.is(Reflect.get(globalThis, name), value)) Reflect.set(globalThis, name, value)
})

function putBack(place: object, known: Map<string, PropertyDescriptor | undefined>): void {
  for (const name of ownNames(place)) {
    const [now, then] = [describe(place, name), known.get(name)]
    if (!now?.configurable) continue
    if (!then) Reflect.deleteProperty(place, name)
    else if (then.value !== now.value || then.get !== now.get) Object.defineProperty(place, name, then)
  }
}

/** Without what libraries note there for themselves. */
function ownNames(place: object): string[] {
  return Object.getOwnPropertyNames(place).filter((name) => !/^(_|IS_REACT|pdfjs)/.test(name))
}

function describe(place: object, name: string): PropertyDescriptor | undefined {
  return Object.getOwnPropertyDescriptor(place, name)
}
