import { beforeEach, describe, expect, it } from 'vitest'
import { setToken } from '../../../platform/lib/me/token.ts'
import { openByteSource } from './byte-source.ts'

const MB = 1_048_576
let asked: string[] = []
let fails = 0
beforeEach(() => {
  asked = []
  fails = 0
  setToken('t')
})

/** Simulates a server with a file of this length, each byte being the number of its megabyte. */
function serve(length: number, answersRanges = true) {
  const file = new Uint8Array(length).map((_, at) => Math.floor(at / MB))
  globalThis.fetch = async (_, init) => {
    const range = String(new Headers(init?.headers).get('range'))
    asked.push(range)
    if (fails-- > 0) return new Response('{}', { status: 500 })
    if (!answersRanges) return new Response(file)
    const [from = 0, to = 0] = range.match(/\d+/g)?.map(Number) ?? []
    const headers = { 'content-range': `bytes ${from}-${Math.min(to, length - 1)}/${length}` }
    return new Response(file.slice(from, to + 1), { status: 206, headers })
  }
}

const open = () => openByteSource('d', 1, new AbortController().signal)
const parts = (...numbers: number[]) => numbers.map((part) => `bytes=${part * MB}-${(part + 1) * MB - 1}`)

describe('byte source of a document', () => {
  it('loads parts once each: the first and the last immediately, the others on demand', async () => {
    serve(4.5 * MB)
    const source = await open()
    expect([source.length, source.start.length]).toEqual([4.5 * MB, MB])
    expect(asked).toEqual(parts(0, 4))
    expect([...(await source.read(3 * MB - 2, 3 * MB + 1))]).toEqual([2, 2, 3])
    await Promise.all([source.read(2 * MB, 2 * MB + 5), source.read(10, 20)])
    expect(asked).toEqual(parts(0, 4, 2, 3))
    expect((await source.read(4 * MB, 4.5 * MB)).length).toBe(MB / 2)
    expect(asked).toHaveLength(4)
  })

  it('loads small files whole, and those without range support', async () => {
    serve(1000)
    expect(await open()).toMatchObject({ length: 1000, start: new Uint8Array(1000) })
    serve(2 * MB, false)
    const { length, start } = await open()
    expect([length, start.length]).toEqual([2 * MB, 2 * MB])
  })

  it('retries a failed part once, and then reports it', async () => {
    serve(4 * MB)
    const source = await open()
    fails = 1
    expect([...(await source.read(MB, MB + 2))]).toEqual([1, 1])
    fails = 2
    await expect(source.read(2 * MB, 2 * MB + 2)).rejects.toThrow()
    expect([...(await source.read(2 * MB, 2 * MB + 1))]).toEqual([2])
  })
})
