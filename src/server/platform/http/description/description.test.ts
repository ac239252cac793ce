import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const get = (headers: Record<string, string> = {}) =>
  app.http.inject({ method: 'GET', url: '/api/v1/openapi.json', headers })

describe('the description of the API', () => {
  it.each([
    ['', undefined, (bytes: Buffer) => bytes],
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br;q=0', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ])('is sent in an encoding of “%s”', async (accepted, encoding, decode) => {
    const answer = await get({ 'accept-encoding': accepted })
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding])
    expect(answer.headers['content-type']).toContain('application/json')
    expect(JSON.parse(String(decode(answer.rawPayload)))).toMatchObject({ openapi: '3.1.0' })
  })

  it('is written and compressed once, however many strangers ask for it', async () => {
    const ask = () => get({ 'accept-encoding': 'br' })
    await ask()
    const before = process.cpuUsage()
    await Promise.all(Array.from({ length: 20 }, ask))
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(250)
  })
})
