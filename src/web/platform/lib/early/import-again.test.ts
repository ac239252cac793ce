import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { importAgain } from './import-again.ts'

const sheet = 'http://localhost:3000/assets/chat-1.css'
const losses = {
  chromium: new TypeError('Failed to fetch dynamically imported module: http://localhost/a.js'),
  firefox: new TypeError('error loading dynamically imported module: http://localhost/a.js'),
  safari: new TypeError('Importing a module script failed.'),
  style: new Error(`Unable to preload CSS for ${sheet}`),
}

const answers = async () => new Response(null, { status: 200 })
beforeEach(() => void vi.stubGlobal('fetch', answers))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  document.head.replaceChildren()
})

/** Creates a module that loads at the given attempt, and counts the attempts. */
function aPart(comesAt: number, loss: Error) {
  const load = vi.fn(async () => {
    if (load.mock.calls.length < comesAt) throw loss
    return 'part'
  })
  return load
}

async function outcome(load: () => Promise<string>) {
  vi.useFakeTimers()
  const coming = importAgain(load).catch((error: Error) => error)
  await vi.advanceTimersByTimeAsync(3_000)
  return coming
}

describe('module of the page', () => {
  it.each(Object.entries(losses))('is asked for again when the network lost it (%s)', async (_, loss) => {
    const load = aPart(4, loss)
    expect(await outcome(load)).toBe('part')
    expect(load).toHaveBeenCalledTimes(4)
  })

  it('is given up after four attempts when the server answers', async () => {
    const load = aPart(5, losses.chromium)
    expect(await outcome(load)).toBe(losses.chromium)
    expect(load).toHaveBeenCalledTimes(4)
  })

  it.each([
    ['does not answer', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['is absent behind its proxy', async () => new Response(null, { status: 502 })],
  ])('waits for the return of a server that %s', async (_, absent) => {
    let answer: () => Promise<Response> = absent
    vi.stubGlobal('fetch', () => answer())
    let isThere = false
    const load = vi.fn(async () => {
      if (!isThere) throw losses.chromium
      return 'part'
    })
    vi.useFakeTimers()
    const coming = importAgain(load)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(load).toHaveBeenCalledTimes(3)
    isThere = true
    answer = answers
    await vi.advanceTimersByTimeAsync(2_500)
    expect(await coming).toBe('part')
  })

  it('is requested only once if its own code fails', async () => {
    const broken = aPart(9, new TypeError('x is not a function'))
    expect(await outcome(broken)).toBeInstanceOf(TypeError)
    expect(broken).toHaveBeenCalledTimes(1)
  })

  it('waits for the connection to return', async () => {
    vi.useFakeTimers()
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const load = aPart(3, losses.chromium)
    const coming = importAgain(load)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(load).toHaveBeenCalledTimes(1)
    online.mockReturnValue(true)
    dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await coming).toBe('part')
    expect(load).toHaveBeenCalledTimes(3)
  })

  it('is reloaded with its style sheet if that was lost, because a failed link does not stay', async () => {
    for (const href of [sheet, '/assets/other.css']) {
      const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
      document.head.append(link)
    }
    await outcome(aPart(2, losses.style))
    expect([...document.querySelectorAll('link')].map(({ href }) => new URL(href).pathname)).toEqual([
      '/assets/other.css',
    ])
  })
})
