import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { createLog } from '../log.ts'

const logs: Record<string, string[]> = { unnamed: [], named: [] }
const apps: Record<string, TestApp> = {}
beforeAll(async () => {
  for (const [name, trusted] of Object.entries({ unnamed: '', named: '127.0.0.0/8' })) {
    const write = (chunk: Buffer, _: unknown, done: () => void) => {
      logs[name]?.push(chunk.toString())
      done()
    }
    const log = createLog('warn', new Writable({ write }))
    apps[name] = await startApp({ config: { ATRIUM_TRUST_PROXY: trusted }, log })
  }
})
afterAll(() => Promise.all(Object.values(apps).map((app) => app.close())))

const ask = (name: string, headers: Record<string, string>) =>
  apps[name]?.http.inject({ url: '/api/v1/health', headers, remoteAddress: '127.0.0.1' })
const warnings = (name: string) => logs[name]?.filter((line) => line.includes('ATRIUM_TRUST_PROXY'))

it('logs once that a proxy in front is not configured, and how to configure it', async () => {
  await ask('unnamed', {})
  expect(warnings('unnamed')).toEqual([])
  await ask('unnamed', { 'x-forwarded-for': '203.0.113.7' })
  await ask('unnamed', { 'x-forwarded-for': '203.0.113.8' })
  expect(warnings('unnamed')).toHaveLength(1)
  expect(warnings('unnamed')?.[0]).toContain('a proxy at 127.0.0.1 that is not listed')
})

it('logs nothing for a configured proxy', async () => {
  await ask('named', { 'x-forwarded-for': '203.0.113.7' })
  expect(warnings('named')).toEqual([])
})
