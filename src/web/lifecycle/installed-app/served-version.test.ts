import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { importAgain } from '../../platform/lib/early/import-again.ts'
import { isNewVersionServed } from './served-version.ts'

const page = (entry: string) =>
  `<!doctype html><script type="module" crossorigin src="/assets/${entry}.js"></script>`
const lost = new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/a.js')

let served = ''
let reload = vi.fn()
beforeEach(() => {
  served = page('main-1')
  reload = vi.fn()
  sessionStorage.clear()
  vi.stubGlobal('fetch', async () => new Response(served))
  vi.stubGlobal('location', { reload })
  const script = Object.assign(document.createElement('script'), { type: 'module' })
  script.setAttribute('src', '/assets/main-1.js')
  document.head.append(script)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  document.head.replaceChildren()
})

/** Imports a file that the server does not have, and returns the error if there is one. */
async function importGone(): Promise<unknown> {
  vi.useFakeTimers()
  const coming = importAgain(() => Promise.reject(lost)).catch((error) => error)
  await vi.advanceTimersByTimeAsync(5_000)
  return Promise.race([coming, Promise.resolve('waiting')])
}

describe('isNewVersionServed', () => {
  it('compares the entry script of the page with the served one', async () => {
    expect(await isNewVersionServed()).toBe(false)
    served = page('main-2')
    expect(await isNewVersionServed()).toBe(true)
  })

  it('is false when the server answers something else', async () => {
    served = 'Bad gateway'
    expect(await isNewVersionServed()).toBe(false)
  })
})

describe('page whose file is gone', () => {
  it('reloads once', async () => {
    served = page('main-2')
    expect(await importGone()).toBe('waiting')
    expect(reload).toHaveBeenCalledTimes(1)
    expect(await importGone()).toBe(lost)
    expect(reload).toHaveBeenCalledTimes(1)
  })
})
