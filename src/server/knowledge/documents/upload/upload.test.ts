import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aReader } from '#tests/documents.ts'
import { aDocument } from '#tests/stored-document.ts'

const apps: TestApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function aLibrary(config: Record<string, string>) {
  const app = await startApp({ jobs: false, config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ...config } })
  apps.push(app)
  const base = `${await app.listen()}/api/v1`
  return { app, base, ada: await aReader(app, base) }
}

/** Returns everything in the file store, including drafts. */
async function stored({ deps, dataDir }: TestApp): Promise<string[]> {
  const found: string[] = []
  for await (const key of deps.files.list()) found.push(key)
  return [...found, ...readdirSync(join(dataDir, 'files/.drafts'), { recursive: true }).map(String)]
}

const form = (bytes: number) => ({ name: 'large.txt', content: 'x'.repeat(bytes) })
const begin = (size: number) => ['POST', '/documents/uploads', { name: 'large.txt', size }] as const

describe('an upload', () => {
  it.each([
    [
      'exceeds the maximum size',
      { ATRIUM_MAX_UPLOAD_MB: '1' },
      [413, 'The file is larger than 1 MB, the upload limit.'],
    ],
    [
      'exceeds its owner’s storage limit',
      { ATRIUM_LIMIT_STORAGE_MB: '1' },
      [413, 'Your storage of 1 MB is full. Delete chats or files you no longer need, and empty the trash.'],
    ],
    [
      'would fill the disk',
      { ATRIUM_MIN_FREE_MB: '10000000' },
      [507, 'The storage is nearly full. Free some space and try again.'],
    ],
  ])('is refused when it %s, whole or in parts, and stores nothing [IN-03]', async (_, config, refusal) => {
    const { app, ada } = await aLibrary(config as Record<string, string>)
    await app.deps.files.write('other', Readable.from([Buffer.from('x')]))
    const whole = await ada.upload(form(1_200_000))
    expect([whole.status, whole.body.detail]).toEqual(refusal)
    const parts = await ada.call(...begin(1_200_000))
    expect([parts.status, parts.body.detail]).toEqual(refusal)
    expect(await stored(app)).toEqual(['other'])
  })

  it('answers 402 without balance and stores nothing, whole, in parts or as a newer version', async () => {
    const { app, ada } = await aLibrary({ ATRIUM_BILLING: 'on' })
    await app.deps.files.write('other', Readable.from([Buffer.from('x')]))
    const { documentId: id } = await aDocument(app, ada.user)
    const before = await stored(app)
    for (const answer of [
      await ada.upload(form(10)),
      await ada.call(...begin(10)),
      await ada.upload(form(10), `/documents/${id}/versions`),
    ])
      expect([answer.status, answer.body.code]).toEqual([402, 'insufficient_balance'])
    expect(await stored(app)).toEqual(before)
  })

  it('is refused before it is sent when it announces 2 GB', async () => {
    const { app, base, ada } = await aLibrary({})
    await app.deps.files.write('other', Readable.from([Buffer.from('x')]))
    const headers = {
      ...ada.user.headers,
      ...{ 'content-type': 'multipart/form-data; boundary=b', 'content-length': '2000000000' },
    }
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${base}/documents/upload`, { method: 'POST', headers }, (answer) => {
        resolve(answer.statusCode)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n')
    })
    expect([status, await stored(app)]).toEqual([413, ['other']])
  })

  it('leaves nothing when it is aborted [IN-04]', async () => {
    const { app, base, ada } = await aLibrary({})
    const giveUp = new AbortController()
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="half.txt"\r\n\r\n'
    const body = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(Buffer.concat([Buffer.from(head), Buffer.alloc(500_000, 'x')])),
    })
    const headers = { ...ada.user.headers, 'content-type': 'multipart/form-data; boundary=b' }
    const options = { method: 'POST', headers, body, duplex: 'half', signal: giveUp.signal } as RequestInit
    const sent = fetch(`${base}/documents/upload`, options).catch(() => null)
    const drafts = () => stored(app).catch(() => [])
    await expect.poll(async () => (await drafts()).length, { timeout: 10_000 }).toBe(1)
    giveUp.abort()
    await sent
    await expect.poll(() => stored(app), { timeout: 10_000 }).toEqual([])
    expect((await ada.call('GET', '/documents')).body.total).toBe(0)
  })
})
