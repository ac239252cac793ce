import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Finding, HealthName } from '#shared/lifecycle/health/health.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { cleanAfterEach } from '#tests/cleanups.ts'
import { cloneDatabase } from '#tests/database.ts'
import { startDatabaseProxy } from '#tests/database-proxy.ts'
import { startModelServer } from '#tests/model-server.ts'
import { startS3Server } from '#tests/s3-server.ts'
import { startSmtpServer } from '#tests/smtp-server.ts'
import { checkBackup } from './check-backup.ts'
import { createPartsCheck } from './check-parts.ts'

const { afterwards, aFolder } = cleanAfterEach()

/** Replaces the PATH for a test: only the scripts in this folder. */
let programs: string
beforeEach(() => {
  programs = aFolder('programs')
})
function havePrograms(scripts: Record<string, string>, system = '') {
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(programs, name), 0o755)
  }
  const before = process.env.PATH
  process.env.PATH = `${programs}${system}`
  afterwards(() => {
    process.env.PATH = before
  })
}
const tesseract = (...languages: string[]) =>
  `[ "$1" = --version ] && echo "tesseract 5.3.0" || printf '%s\\n' "List:" ${languages.join(' ')}`

async function anApp(options: Parameters<typeof startApp>[0] = {}): Promise<TestApp> {
  const app = await startApp(options)
  afterwards(() => app.close())
  return app
}

/** Returns the state and findings of each part, as a super admin sees them. */
async function partsOf(app: TestApp, query = 'details') {
  const { headers } = await aUser(app, { role: 'super_admin' })
  const { parts } = (await app.http.inject({ url: `/api/v1/health?${query}`, headers })).json().details
  return Object.fromEntries(
    (parts as { part: HealthName; state: string; finding: Finding; facts: object }[]).map(
      ({ part, state, finding, facts }) => [part, { is: `${state} ${finding}`, facts }],
    ),
  ) as Record<HealthName, { is: string; facts: Record<string, string | number> }>
}
const statesOf = (parts: Awaited<ReturnType<typeof partsOf>>) =>
  Object.fromEntries(Object.entries(parts).map(([part, { is }]) => [part, is]))

/** Starts a server that returns one status, or never responds. */
async function answering(status: number | null): Promise<string> {
  const server: Server = createServer((_, response) => {
    if (status !== null) response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

describe('the parts of an installation', () => {
  it('are healthy when programs, servers and folders respond [AD-02]', async () => {
    const [model, smtp] = await Promise.all([startModelServer(), startSmtpServer()])
    afterwards(model.close)
    afterwards(smtp.close)
    havePrograms({
      tesseract: tesseract('eng', 'fra'),
      soffice: 'echo LibreOffice 7.4.7.2',
      ffmpeg: 'echo ffmpeg version 5.1.6',
    })
    const app = await anApp({
      config: {
        ...{ ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_TRANSCRIPTION_MODEL: 'compatible/whisper' },
        ...{ SMTP_URL: smtp.url, ATRIUM_MIN_FREE_MB: '0' },
      },
    })
    const parts = await partsOf(app)
    const { sandbox: _, disk: __, ...states } = statesOf(parts)
    expect(states).toEqual({
      ...{ models: 'well models_answer', mail: 'well mail_taken', mailbox: 'limited mailbox_off' },
      ocr: 'well ocr_system',
      ...{ office: 'well office_there', transcription: 'well speech_server', storage: 'well storage_kept' },
      ...{ queue: 'well queue_moves', search: 'well search_answers', database: 'well database_answers' },
      backup: 'limited backup_never',
    })
    expect(parts.models.facts).toEqual({ models: 1, answering: 1, connections: 1 })
    expect(parts.office.facts).toEqual({ version: '7.4.7.2' })
    expect(parts.disk.facts.free_bytes).toBeGreaterThan(0)
    expect(parts.database.facts.version).toMatch(/^\d+/)
  }, 60_000)

  it('are limited when something is not configured, with the reason [AD-02]', async () => {
    const model = await startModelServer()
    afterwards(model.close)
    havePrograms({ tesseract: tesseract('eng') })
    const free = (await partsOf(await anApp())).disk.facts.free_bytes as number
    const app = await anApp({
      jobs: false,
      config: {
        ...{
          ATRIUM_COMPATIBLE_URL: model.url,
          OPENAI_API_KEY: 'sk-wrong',
          OPENAI_BASE_URL: await answering(401),
        },
        ATRIUM_MIN_FREE_MB: String(Math.floor(free / 1.5 / 1_000_000)),
        ATRIUM_EMBEDDING_MODEL: 'atrium/lexical',
      },
    })
    await app.deps.sandbox.probe()
    await app.deps.jobs.add('nobody-takes-this', {})
    await sql`update graphile_worker._private_jobs set run_at = now() - interval '10 minutes'`.execute(
      app.deps.db,
    )
    await sql`drop extension pg_trgm cascade`.execute(app.deps.db)
    const parts = await partsOf(app)
    expect(statesOf(parts)).toMatchObject({
      ...{ models: 'limited models_some', mail: 'limited mail_outbox', sandbox: 'limited sandbox_no_python' },
      ...{ ocr: 'limited ocr_languages', office: 'missing office_missing' },
      ...{
        transcription: 'limited speech_no_decoder',
        disk: 'limited disk_low',
        queue: 'limited queue_late',
      },
      ...{ search: 'limited search_lexical', database: 'limited database_no_trigrams' },
    })
    expect(parts.models.facts).toMatchObject({
      names: 'OpenAI',
      answering: 1,
      error: expect.stringMatching(/key/i),
    })
    expect(parts.ocr.facts).toMatchObject({
      names: 'fra',
      package: expect.stringContaining('tesseract-ocr-fra'),
    })
    expect(parts.sandbox.facts.error).toContain('bubblewrap')
    expect(parts.queue.facts).toEqual({ waiting: 1, minutes: 10 })
    rmSync(join(programs, 'tesseract'))
    havePrograms({ soffice: 'echo broken >&2; exit 77', ffmpeg: 'echo ffmpeg version 5.1.6' })
    await sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(app.deps.db)
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    const later = await partsOf(app, 'details&again')
    expect(statesOf(later)).toMatchObject({
      ...{ ocr: 'limited ocr_built_in', office: 'missing office_broken' },
      ...{ transcription: 'limited speech_built_in', queue: 'limited queue_given_up' },
    })
    expect(later.office.facts.error).toContain('broken')
  }, 60_000)

  it('are missing when nothing responds, each with its reason [AD-02]', async () => {
    const store = await startS3Server()
    afterwards(store.close)
    const { address, drop } = await cloneDatabase()
    afterwards(drop)
    const app = await anApp({
      address,
      config: {
        ...{
          ATRIUM_ROLE: 'web',
          DATABASE_URL: 'postgres://unused',
          ATRIUM_TRANSCRIPTION_MODEL: 'nobody/whisper',
        },
        ...{ ATRIUM_COMPATIBLE_URL: await answering(401), SMTP_URL: 'smtp://127.0.0.1:1' },
        ...{ S3_ENDPOINT: store.url, S3_BUCKET: 'atrium', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' },
        ...{
          ATRIUM_EMBEDDING_MODEL: 'openai/text-embedding-3-small',
          ATRIUM_VECTORS_URL: aFolder('vectors'),
        },
      },
    })
    expect(statesOf(await partsOf(app))).toMatchObject({
      ...{
        models: 'missing models_away',
        mail: 'missing mail_refused',
        transcription: 'missing speech_away',
      },
      ...{
        storage: 'well storage_kept',
        queue: 'missing queue_no_worker',
        search: 'missing search_model_away',
      },
    })
    expect([...store.objects.keys()].filter((key) => key.includes('health'))).toEqual([])
    store.fail(403)
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    const parts = await partsOf(app, 'details&again')
    expect(parts.storage).toMatchObject({ is: 'missing storage_fails', facts: { place: 'atrium' } })
    expect(parts.mail.facts).toMatchObject({
      host: '127.0.0.1:1',
      error: expect.stringContaining('ECONNREFUSED'),
    })
  }, 60_000)

  it('report an invalid folder, a full disk and a suspended database without delaying others [AD-02]', async () => {
    const { address, drop } = await cloneDatabase()
    afterwards(drop)
    const proxy = await startDatabaseProxy(address)
    afterwards(proxy.close)
    const folder = aFolder('house')
    mkdirSync(folder, { recursive: true })
    for (const name of ['files', 'outbox', 'vectors']) writeFileSync(join(folder, name), '')
    const config = {
      ...{ ATRIUM_DATA_DIR: folder, ATRIUM_MIN_FREE_MB: '10000000' },
      ATRIUM_COMPATIBLE_URL: await answering(null),
    }
    const app = await anApp({ address: proxy.address, config })
    expect(statesOf(await partsOf(app))).toMatchObject({
      ...{ storage: 'missing storage_fails', mail: 'missing outbox_unwritable', disk: 'missing disk_full' },
      ...{
        search: 'missing search_store_away',
        models: 'missing models_away',
        database: 'well database_answers',
      },
    })
    proxy.freeze()
    afterwards(proxy.mend)
    const asked = performance.now()
    const { parts } = await createPartsCheck(app.deps, 1_000)({ again: true })
    expect(performance.now() - asked).toBeLessThan(5_000)
    const findingOf = (name: HealthName) => parts.find(({ part }) => part === name)
    expect(findingOf('database')).toMatchObject({
      state: 'missing',
      finding: 'silent',
      facts: { seconds: 1 },
    })
    expect(findingOf('storage')).toMatchObject({ finding: 'storage_fails' })
  }, 60_000)
})

describe('the last backup', () => {
  it('is well for a week, and old afterwards', async () => {
    const app = await anApp()
    const finished = (days: number) =>
      sql`insert into backups (finished_at, rows, files) values (now() - make_interval(days => ${days}), 10, 2)`.execute(
        app.deps.db,
      )
    await finished(9)
    expect(await checkBackup(app.deps)).toMatchObject({ finding: 'backup_old', facts: { days: 9 } })
    await finished(7)
    expect(await checkBackup(app.deps)).toMatchObject({
      finding: 'backup_made',
      facts: { days: 7, files: 2 },
    })
  })
})

describe('checking the parts', () => {
  it('is shared by callers within seconds and repeated on request', async () => {
    let asked = 0
    const noteAsked = async () => {
      asked += 1
    }
    const app = await anApp()
    const mail = { ...app.deps.mail, check: noteAsked }
    const check = createPartsCheck({ ...app.deps, mail })
    const [one, other] = await Promise.all([check({ again: false }), check({ again: true })])
    expect(other).toBe(one)
    expect(await check({ again: true })).toBe(one)
    expect(asked).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    expect(await check({ again: false })).toBe(one)
    expect((await check({ again: true })).at.getTime()).toBeGreaterThan(one.at.getTime())
    expect(asked).toBe(2)
  }, 30_000)
})
