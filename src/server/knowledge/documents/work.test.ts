import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aReader, type Reader } from '#tests/documents.ts'

/** A fake embedding provider that blocks while `open` is false, after `answers` more responses. */
let open = true
let answers = 0
const waiting: (() => void)[] = []
const provider = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.method === 'GET') return void response.end(JSON.stringify({ data: [{ id: 'vectors' }] }))
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  if (!open && answers-- <= 0) await new Promise<void>((resolve) => waiting.push(resolve))
  const { input = [] } = JSON.parse(Buffer.concat(parts).toString() || '{}')
  const data = input.map((_: string, index: number) => ({ index, embedding: [1, 0, 0, 0] }))
  response.end(JSON.stringify({ data }))
})
const release = () => {
  ;[open, answers] = [true, 0]
  for (const go of waiting.splice(0)) go()
}

let app: TestApp
let base: string
beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const { port } = provider.address() as AddressInfo
  app = await startApp({
    jobs: false,
    config: {
      ATRIUM_EMBEDDING_MODEL: 'house/vectors',
      ATRIUM_COMPATIBLE_NAME: 'house',
      ATRIUM_COMPATIBLE_URL: `http://127.0.0.1:${port}/v1`,
    },
  })
  base = `${await app.listen()}/api/v1`
})
afterAll(async () => {
  release()
  await app.close()
  provider.close()
})

let made = 0
const text = () => `Lot ${++made} costs 41 000 €.`
/** A text that is cut into `count` passages. */
const passages = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `Lot ${++made}.${at} ${'costs as much as before. '.repeat(40)}`,
  ).join('\n\n')
const added = async (who: Reader) =>
  (await who.upload({ name: `${made}.txt`, content: text() })).body.id as string

/** Records the phases of readings in order; the returned function lists them. */
async function watchPhases(): Promise<() => Promise<string[]>> {
  await sql`create table seen (n serial, reading_id uuid, state text)`.execute(app.deps.db)
  await sql`create function note_seen() returns trigger language plpgsql as $$ begin
    insert into seen (reading_id, state) values (new.id, case new.status when 'in_progress' then new.phase else new.status end);
    return null; end $$`.execute(app.deps.db)
  await sql`create trigger noted after update of status, phase on readings for each row execute function note_seen()`.execute(
    app.deps.db,
  )
  return async () => {
    const { rows } = await sql<{ state: string }>`select state from seen order by n`.execute(app.deps.db)
    return rows.map(({ state }) => state).filter((state, at, all) => state !== all[at - 1])
  }
}

// A blocked embedding must not block the next test.
afterEach(release)

describe('processing a document', () => {
  it('is queued after the upload until the first phase starts [DO-12]', async () => {
    const ada = await aReader(app, base)
    const { body } = await ada.call('GET', `/documents/${await added(ada)}`)
    expect([body.status, body.current_phase]).toEqual(['queued', 'UPLOAD'])
  })

  it('serves users in turn: one file does not wait for sixty files that others uploaded before [IN-11]', {
    timeout: 90_000,
  }, async () => {
    const many = await Promise.all(Array.from({ length: 6 }, () => aReader(app, base)))
    for (let round = 0; round < 10; round++) for (const who of many) await added(who)
    const late = await aReader(app, base)
    const id = await added(late)
    await app.deps.jobs.start()
    const { status, failure } = await late.processed(id)
    expect([status, failure]).toEqual(['completed', null])
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from readings where status = 'completed'`.execute(app.deps.db)
    expect(rows[0]?.count).toBeLessThan(25)
    await expect
      .poll(
        async () =>
          (await sql`select from readings where status <> 'completed'`.execute(app.deps.db)).rows.length,
        {
          timeout: 60_000,
        },
      )
      .toBe(0)
  })

  it('runs its phases in order and reports the current one [DO-12]', async () => {
    const ada = await aReader(app, base)
    const phases = await watchPhases()
    open = false
    const { body } = await ada.upload({ name: 'steps.txt', content: text() })
    const phase = async () => (await ada.call('GET', `/documents/${body.id}`)).body.current_phase
    await expect.poll(phase, { timeout: 20_000 }).toBe('EMBEDDING')
    release()
    const { failure, current_phase } = await ada.processed(body.id)
    expect([failure, current_phase]).toEqual([null, null])
    expect(await phases()).toEqual(['PARSING', 'CHUNKING_ENRICHMENT', 'EMBEDDING', 'completed'])
    const broken = (await ada.upload({ name: 'a.bin', content: '\0\u0001\0' })).body.id
    const failed = await ada.processed(broken)
    expect([failed.status, failed.current_phase]).toEqual(['failed', 'PARSING'])
  })

  it('can be cancelled in every phase, and resumes from the cancelled phase [IN-07]', {
    timeout: 60_000,
  }, async () => {
    const ada = await aReader(app, base)
    await ada.processed(await added(ada))
    const see = async (id: string) => (await ada.call('GET', `/documents/${id}`)).body
    const cancelIn = async (phase: string, id: string) => {
      await expect
        .poll(async () => [(await see(id)).status, (await see(id)).current_phase], { timeout: 20_000 })
        .toEqual(['in_progress', phase])
      const { status, body } = await ada.call('POST', `/documents/${id}/cancel`)
      expect([status, body.status, body.failure.code, body.current_phase]).toEqual([
        200,
        'failed',
        'cancelled',
        phase,
      ])
    }
    const goOn = async (id: string, phase: string) => {
      const again = (await ada.call('POST', `/documents/${id}/retry`)).body
      expect(again.status === 'queued' ? again.current_phase : phase).toBe(phase)
      const { status, failure } = await ada.processed(id)
      expect([status, failure]).toEqual(['completed', null])
    }
    // Stop the reading processes, so that the document stays in its first phase.
    const stopped = readers()
    expect(stopped).not.toEqual([])
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    const parsing = await added(ada)
    await cancelIn('PARSING', parsing)
    await goOn(parsing, 'UPLOAD')
    // The state between two phases.
    const cut = await added(ada)
    await ada.processed(cut)
    await sql`update readings set status = 'in_progress', phase = 'CHUNKING_ENRICHMENT'
      where id = (select reading_id from documents where id = ${cut})`.execute(app.deps.db)
    await cancelIn('CHUNKING_ENRICHMENT', cut)
    await goOn(cut, 'CHUNKING_ENRICHMENT')
    open = false
    const embedding = await added(ada)
    await cancelIn('EMBEDDING', embedding)
    release()
    await goOn(embedding, 'EMBEDDING')
  })

  it('counts embedded passages from where it stopped when it resumes', async () => {
    const ada = await aReader(app, base)
    ;[open, answers] = [false, 1]
    const id = (await ada.upload({ name: 'hundred.txt', content: passages(100) })).body.id
    const progress = async () => (await ada.call('GET', `/documents/${id}`)).body.progress
    await expect.poll(progress, { timeout: 20_000 }).toMatchObject({ done: 32, total: 100 })
    await ada.call('POST', `/documents/${id}/cancel`)
    await ada.call('POST', `/documents/${id}/retry`)
    await expect.poll(progress, { timeout: 20_000 }).toMatchObject({ done: 32, total: 100 })
    release()
    const { status, failure } = await ada.processed(id)
    expect([status, failure]).toEqual(['completed', null])
  })

  const findNeedle = async (who: Reader) => {
    const body = { query: '"needle of the haystack"', use_bm25: true, hybrid_search: false }
    const found = await who.call('POST', '/search_and_rerank/search_and_rerank', body)
    return found.body.objects.map((one: { properties: { file_name: string } }) => one.properties.file_name)
  }

  it('makes a small document searchable by words while its model does not answer', {
    timeout: 60_000,
  }, async () => {
    const ada = await aReader(app, base)
    await ada.processed(await added(ada))
    open = false
    const { id } = (await ada.upload({ name: 'small.txt', content: 'The needle of the haystack.' })).body
    await expect.poll(() => findNeedle(ada), { timeout: 20_000 }).toEqual(['small.txt'])
    const { status, current_phase, is_found_by_words } = (await ada.call('GET', `/documents/${id}`)).body
    expect([status, current_phase, is_found_by_words]).toEqual(['in_progress', 'EMBEDDING', true])
    release()
    expect(await ada.processed(id)).toMatchObject({ status: 'completed', is_found_by_words: true })
    expect(await findNeedle(ada)).toEqual(['small.txt'])
  })

  it('processes a small document in one job, and each further phase of a large one in another', async () => {
    const ada = await aReader(app, base)
    await sql`create table added_jobs (key text)`.execute(app.deps.db)
    await sql`create function note_job() returns trigger language plpgsql as $$ begin
      insert into added_jobs values (new.key); return null; end $$`.execute(app.deps.db)
    await sql`create trigger note_job after insert on graphile_worker._private_jobs
      for each row when (new.key like 'reading:%') execute function note_job()`.execute(app.deps.db)
    const jobsOf = async (content: string) => {
      const { id } = (await ada.upload({ name: `${++made}.txt`, content })).body
      expect((await ada.processed(id)).status).toBe('completed')
      const { rows } = await sql`select from added_jobs
        where key = (select 'reading:' || reading_id from documents where id = ${id})`.execute(app.deps.db)
      return rows.length
    }
    expect(await jobsOf(text())).toBe(1)
    expect(await jobsOf(passages(120))).toBe(2)
  })

  it('makes a large document searchable by words while it is embedded, and not after it is cancelled', {
    timeout: 60_000,
  }, async () => {
    const ada = await aReader(app, base)
    await ada.processed(await added(ada))
    const find = () => findNeedle(ada)
    open = false
    const content = `${passages(120)}\n\nThe needle of the haystack.`
    const { id } = (await ada.upload({ name: 'large.txt', content })).body
    await expect.poll(find, { timeout: 20_000 }).toEqual(['large.txt'])
    expect((await ada.call('GET', `/documents/${id}`)).body.current_phase).toBe('EMBEDDING')
    await ada.call('POST', `/documents/${id}/cancel`)
    expect(await find()).toEqual([])
    await ada.call('POST', `/documents/${id}/retry`)
    await expect.poll(find, { timeout: 20_000 }).toEqual(['large.txt'])
    release()
    expect((await ada.processed(id)).status).toBe('completed')
    expect(await find()).toEqual(['large.txt'])
  })

  it('does not wait for a large document of the same user, which is embedded in turns', {
    timeout: 90_000,
  }, async () => {
    const ada = await aReader(app, base)
    open = false
    const large = (await ada.upload({ name: 'large.txt', content: passages(1800) })).body.id
    const phase = async () => (await ada.call('GET', `/documents/${large}`)).body.current_phase
    await expect.poll(phase, { timeout: 20_000 }).toBe('EMBEDDING')
    // Enough documents for both lanes.
    const small = await Promise.all(Array.from({ length: 8 }, () => added(ada)))
    release()
    expect((await ada.processed(large)).status).toBe('completed')
    const { chunks, total } = (await ada.call('GET', `/documents/${large}/chunks`)).body
    expect([total, chunks.every((one: { has_embeddings: boolean }) => one.has_embeddings)]).toEqual([
      1800,
      true,
    ])
    for (const id of small) expect((await ada.call('GET', `/documents/${id}`)).body.status).toBe('completed')
  })

  it('reports how much is done, and the remaining time at the speed of this installation [IN-06]', async () => {
    const ada = await aReader(app, base)
    const slow = await added(ada)
    await ada.processed(slow)
    const { rows } = await sql<{ reading_id: string }>`
      select reading_id from documents where id = ${slow}`.execute(app.deps.db)
    const reading = rows[0]?.reading_id
    // As if every byte had taken ten milliseconds here, and half of the pages were parsed after four seconds.
    await sql`update readings r set parse_ms = b.size * 10, chunking_ms = b.size * 10, embedding_ms = b.size * 10
      from blobs b where b.id = r.blob_id`.execute(app.deps.db)
    const id = await added(ada)
    const { size } = await ada.processed(id)
    const stand = (done: number) =>
      sql`update readings set status = 'in_progress', phase = 'PARSING', done = ${done}, total = 10,
        phase_began_at = now() - interval '4 seconds'
        where id = (select reading_id from documents where id = ${id}) and id <> ${reading}`.execute(
        app.deps.db,
      )
    const progress = async () => (await ada.call('GET', `/documents/${id}`)).body.progress
    await stand(5)
    const half = await progress()
    expect(half).toMatchObject({ done: 5, total: 10 })
    expect(half.seconds_left).toBeGreaterThan(4 + 0.02 * size - 0.1)
    expect(half.seconds_left).toBeLessThan(6 + 0.02 * size)
    await stand(0)
    const none = await progress()
    expect(none.seconds_left).toBeGreaterThan(Math.max(0, 0.01 * size - 6) + 0.02 * size - 0.1)
    expect(none.seconds_left).toBeLessThan(0.03 * size)
    const [listed] = (await ada.call('GET', '/documents?status=in_progress')).body.items
    expect(listed.progress.seconds_left).toBeGreaterThan(0)
  })
})

/** Returns the child processes that parse documents. */
function readers(): number[] {
  const children = execFileSync('ps', ['--ppid', String(process.pid), '-o', 'pid=,args='], {
    encoding: 'utf8',
  })
  return children
    .split('\n')
    .filter((line) => line.includes('parsers/reader/child.ts'))
    .map((line) => Number.parseInt(line, 10))
}
