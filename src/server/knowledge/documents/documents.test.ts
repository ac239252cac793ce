import { createCanvas, loadImage } from '@napi-rs/canvas'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany } from '#tests/builders.ts'
import { aNetwork } from '#tests/company-network.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { switchOffTrash } from '#tests/no-trash.ts'
import { docxOf } from '#tests/office.ts'

let app: TestApp
let base: string
let ada: Reader
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_MAX_UPLOAD_MB: '1' } })
  base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base)
})
afterAll(() => app.close())

let made = 0
/** Content that no test has uploaded before. */
const text = (about = 'Lot 3 costs 41 000 €.') => `${about}\n\nNumber ${++made}.`
const added = async (name: string, content: string, fields = {}, who = ada) =>
  (await who.upload({ name, content, fields })).body.id as string

describe('a document', () => {
  it('is parsed, cut and embedded', async () => {
    const content = text()
    const { status, body } = await ada.upload({ name: 'notes.txt', content })
    expect([status, body.name]).toEqual([201, 'notes.txt'])
    expect(body.size).toBe(Buffer.byteLength(content))
    const document = await ada.processed(body.id)
    expect([document.status, document.failure, document.current_phase]).toEqual(['completed', null, null])
    expect(document.doc_metadata.text_markdown_content).toBe(content)
    const { body: elements } = await ada.call('GET', `/documents/${body.id}/elements`)
    const [first] = elements.parts[0].elements
    expect([first.text, elements.total_parts]).toEqual(['Lot 3 costs 41 000 €.', 1])
    const { body: chunks } = await ada.call('GET', `/documents/${body.id}/chunks`)
    expect(chunks.chunks).toMatchObject([{ text: content.replace('\n\n', '\n'), has_embeddings: true }])
    const { body: chunk } = await ada.call('GET', `/documents/${body.id}/chunks/${chunks.chunks[0].id}`)
    expect(chunk).toMatchObject({ version: 1, place: { span: [0, content.length] } })
  })

  it('gets the language of its text in every format, and is filtered by it', async () => {
    const who = await aReader(app, base)
    const said = 'Le comité se réunira mardi afin d’examiner le budget de l’année prochaine.'
    const files = {
      'a.txt': said,
      'a.md': `# Réunion\n\n${said}`,
      'a.html': `<html><body><p>${said}</p></body></html>`,
      'a.json': JSON.stringify({ note: said }),
      'a.xml': `<?xml version="1.0"?><note><p>${said}</p></note>`,
      'a.csv': `date,note\n2026-01-01,${said}\n`,
      'a.eml': `From: a@a.example\nTo: b@b.example\nSubject: Budget\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n${said}\n`,
      'a.docx': new Uint8Array(docxOf(`<w:p><w:r><w:t>${said}</w:t></w:r></w:p>`)),
    }
    for (const [name, content] of Object.entries(files)) {
      const { body } = await who.upload({ name, content })
      const { status, doc_metadata } = await who.processed(body.id)
      expect([name, status, doc_metadata.language]).toEqual([name, 'completed', 'fr'])
    }
    const { body } = await who.call('GET', '/documents?language=fr')
    expect(body.items).toHaveLength(Object.keys(files).length)
  })

  it('serves its bytes, whole or by range, in a sandbox', async () => {
    const id = await added('page.txt', '<script>alert(1)</script> and more')
    await ada.processed(id)
    const { answer, content } = await ada.bytes(`/documents/${id}/content`, { range: 'bytes=0-7' })
    expect([answer.status, content.toString(), answer.headers.get('content-range')]).toEqual([
      ...[206, '<script>', 'bytes 0-7/34'],
    ])
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    const original = await ada.bytes(`/documents/${id}/content?original=true`)
    expect(original.answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename\*=UTF-8''page\.txt$/,
    )
    expect((await ada.bytes(`/documents/${id}/content`, { range: 'bytes=99-' })).answer.status).toBe(422)
    expect((await ada.bytes(`/documents/${id}/files/digitized.md`)).content.toString()).toContain('and more')
    expect((await ada.bytes(`/documents/${id}/files/summary.json`)).answer.status).toBe(404)
  })

  it('plays with a ticket, by range, as long as the sign-in that requested it lasts, and only where that may enter', async () => {
    const who = await aReader(app, base)
    const id = await added('talk.txt', text(), {}, who)
    await who.processed(id)
    const { status, body } = await who.call('POST', `/documents/${id}/playback`, { version: 1 })
    expect([status, body.media_type]).toEqual([201, 'text/plain'])
    const play = async (ticket: string) => {
      const answer = await fetch(`${base}/playback/${ticket}`, { headers: { range: 'bytes=0-3' } })
      return [answer.status, answer.headers.get('content-range')?.split('/')[0], (await answer.text()).length]
    }
    expect(await play(body.ticket)).toEqual([206, 'bytes 0-3', 4])
    expect((await play(`${body.ticket.slice(0, -4)}AAAA`))[0]).toBe(401)
    expect((await ada.call('POST', `/documents/${id}/playback`, { version: 1 })).status).toBe(403)
    expect((await who.call('POST', `/documents/${id}/playback`, { version: 2 })).status).toBe(404)
    const companyId = await aCompany(app)
    const member = { company_id: companyId, user_id: who.user.id, role: 'member' as const }
    await app.deps.db.insertInto('company_members').values(member).execute()
    await aNetwork(app, companyId, { restricts: 'sign_in', network: '192.0.2.0/24' })
    expect((await play(body.ticket))[0]).toBe(403)
    await app.deps.db.deleteFrom('companies').where('id', '=', companyId).execute()
    app.deps.networks.forget()
    expect((await play(body.ticket))[0]).toBe(206)
    await who.call('DELETE', '/token')
    expect((await play(body.ticket))[0]).toBe(401)
  })

  it('is starred, filtered by star, name and type, and sorted [DO-16]', async () => {
    const who = await aReader(app, base)
    const [b, a] = [
      await added('b.txt', text(), {}, who),
      await added('a_100%.txt', `${text()} longer`, {}, who),
    ]
    await Promise.all([who.processed(a), who.processed(b)])
    const { body } = await who.call('PATCH', `/documents/${a}`, { is_starred: true })
    expect(body.is_starred).toBe(true)
    const list = async (query: string) =>
      (await who.call('GET', `/documents?${query}`)).body.items.map(({ id }: { id: string }) => id)
    expect(await list('starred=true')).toEqual([a])
    expect(await list('starred=false')).toEqual([b])
    expect(await list('q=0%25')).toEqual([a])
    expect(await list('q=_1')).toEqual([a])
    expect(await list('type=text&sort=name&order=asc')).toEqual([a, b])
    expect(await list('sort=size&order=asc')).toEqual([b, a])
    expect(await list('type=pdf')).toEqual([])
    expect(await list('limit=1&page=2&sort=name&order=asc')).toEqual([b])
  })

  it('is filtered by workspace, chat, date, size and language, and sorted by each', async () => {
    const who = await aReader(app, base)
    const { body: legal } = await who.call('POST', '/workspaces', { name: 'Legal' })
    const { body: chat } = await who.call('POST', '/sessions', {})
    const french = `${'Le bail commercial est conclu pour une durée de neuf années entières. '.repeat(3)}${++made}`
    const english = `${'The lease was signed for a term of nine years and cannot be ended before. '.repeat(9)}${++made}`
    const fr = await added('bail.txt', french, { workspace_id: legal.id }, who)
    const en = await added('lease.txt', english, { chat_session_id: chat.id ?? chat.session_id }, who)
    await Promise.all([who.processed(fr), who.processed(en)])
    await who.call('PATCH', `/documents/${fr}`, { is_starred: true })
    await sql`update documents set created_at = '2024-03-09T12:00:00Z' where id = ${fr}`.execute(app.deps.db)
    const list = async (query: string) =>
      (await who.call('GET', `/documents?${query}`)).body.items.map(({ id }: { id: string }) => id)
    expect(await list('language=fr')).toEqual([fr])
    expect(await list(`workspace_id=${legal.id}`)).toEqual([fr])
    expect(await list('from_chats=true')).toEqual([en])
    expect(await list('from_chats=false')).toEqual([fr])
    expect(await list('to=2025-01-01T00:00:00Z')).toEqual([fr])
    expect(await list('from=2025-01-01T00:00:00Z')).toEqual([en])
    expect(await list('min_size=400')).toEqual([en])
    const sorts = [
      ...[
        ['date', fr, en],
        ['size', fr, en],
        ['language', en, fr],
        ['star', en, fr],
      ],
    ] as const
    for (const [sort, first, last] of sorts) {
      expect([sort, await list(`sort=${sort}&order=asc`)]).toEqual([sort, [first, last]])
      expect([sort, await list(`sort=${sort}&order=desc`)]).toEqual([sort, [last, first]])
    }
    // The other one is in the default workspace or in none: it sorts after Legal, and last.
    expect(await list('sort=workspace&order=asc')).toEqual([fr, en])
    const { body: months } = await who.call('GET', '/documents/months')
    expect(months.months).toEqual([
      { month: expect.stringMatching(/^20\d\d-\d\d$/), count: 1 },
      { month: '2024-03', count: 1 },
    ])
    await sql`update documents set created_at = '2024-03-31T22:30:00Z' where id = ${fr}`.execute(app.deps.db)
    const { body: inParis } = await who.call('GET', '/documents/months?time_zone=Europe/Paris')
    expect(inParis.months[1]).toEqual({ month: '2024-04', count: 1 })
    expect((await who.call('GET', '/documents/months?time_zone=Nowhere/There')).status).toBe(422)
    const { body: narrowed } = await who.call('GET', '/documents/months?language=fr')
    expect(narrowed.months).toEqual([{ month: '2024-03', count: 1 }])
    const { body: state } = await who.call('GET', '/documents/state')
    expect(state.counts).toMatchObject({ total: 2, starred: 1, from_chats: 1 })
    expect(state.languages).toEqual(['en', 'fr'])
    expect((await who.call('GET', `/documents/${fr}`)).body.doc_metadata.language).toBe('fr')
  })

  it('has a thumbnail of its first page that browsers cache', async () => {
    const picture = createCanvas(1600, 900)
    picture.getContext('2d').fillRect(0, 0, 1600, 900)
    const { body } = await ada.upload({
      ...{ name: 'hall.png', content: new Uint8Array(await picture.encode('png')) },
      fields: { processing_pipeline: 'low_latency' },
    })
    const { doc_metadata } = await ada.processed(body.id)
    expect(doc_metadata.files).toContain('thumb.webp')
    const address = `/documents/${body.id}/files/thumb.webp`
    const { answer, content } = await ada.bytes(address)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    const { width, height } = await loadImage(content)
    expect([width, height]).toEqual([480, 270])
    const etag = answer.headers.get('etag') ?? ''
    expect((await ada.bytes(address, { 'if-none-match': etag })).answer.status).toBe(304)
    const plain = await added('plain.txt', text())
    expect((await ada.processed(plain)).doc_metadata.files).not.toContain('thumb.webp')
  })

  it('shares storage and reading with the same bytes; deleting one leaves the other [IN-02]', async () => {
    const content = text()
    const [one, other] = [await added('one.txt', content), await added('other.txt', content)]
    await ada.processed(one)
    expect((await ada.processed(other)).status).toBe('completed')
    const blobs = await app.deps.db
      .selectFrom('documents')
      .select('reading_id')
      .where('id', 'in', [one, other])
      .execute()
    expect(new Set(blobs.map(({ reading_id }) => reading_id)).size).toBe(1)
    const stored = async () => {
      let count = 0
      for await (const key of app.deps.files.list()) if (key.includes(ada.user.id)) count += 1
      return count
    }
    const before = await stored()
    await switchOffTrash(app)
    expect((await ada.call('DELETE', `/documents/${one}`)).status).toBe(204)
    expect((await ada.bytes(`/documents/${other}/content`)).content.toString()).toBe(content)
    expect(await stored()).toBe(before)
    await ada.call('DELETE', `/documents/${other}`)
    expect(await stored()).toBe(before - 1)
    expect((await ada.call('GET', `/documents/${other}`)).status).toBe(404)
  })

  it('is reprocessed only after it has ended, and keeps the chunks cited before [DO-15]', async () => {
    const id = await added('again.txt', text())
    const { doc_metadata } = await ada.processed(id)
    expect(doc_metadata.processing_pipeline).toBe('normal')
    const { body: before } = await ada.call('GET', `/documents/${id}/chunks`)
    const { status, body } = await ada.call('POST', `/documents/${id}/reprocess`, { pipeline: 'low_latency' })
    expect([status, body.processing_pipeline, body.version]).toEqual([200, 'low_latency', 2])
    expect(body.status).not.toBe('completed')
    expect((await ada.call('POST', `/documents/${id}/reprocess`, { pipeline: 'normal' })).status).toBe(409)
    expect((await ada.call('POST', `/documents/${id}/reprocess`, { pipeline: 'fast' })).status).toBe(422)
    expect((await ada.processed(id)).status).toBe('completed')
    const { body: cited } = await ada.call('GET', `/documents/${id}/chunks/${before.chunks[0].id}`)
    expect(cited).toMatchObject({ version: 1, text: before.chunks[0].text })
  })

  it('is replaced by a newer version under its id, and old citations open the old version [IN-18]', async () => {
    const [first, second] = [text('The old price is 4.'), text('The new price is 5.')]
    const id = await added('price.txt', first)
    await ada.processed(id)
    const { body: old } = await ada.call('GET', `/documents/${id}/chunks`)
    const { status, body } = await ada.upload(
      { name: 'price 2.txt', content: second },
      `/documents/${id}/versions`,
    )
    expect([status, body.id, body.version, body.name]).toEqual([201, id, 2, 'price 2.txt'])
    await ada.processed(id)
    expect((await ada.bytes(`/documents/${id}/content`)).content.toString()).toBe(second)
    expect((await ada.bytes(`/documents/${id}/content?version=1`)).content.toString()).toBe(first)
    const { body: cited } = await ada.call('GET', `/documents/${id}/chunks/${old.chunks[0].id}`)
    expect(cited).toMatchObject({ version: 1, text: first.replace('\n\n', '\n') })
  })

  it('keeps its pipeline when it is replaced, whole or in parts, unless another is named', async () => {
    const id = await added('quick.txt', text(), { processing_pipeline: 'low_latency' })
    await ada.processed(id)
    const { body } = await ada.upload({ name: 'quick.txt', content: text() }, `/documents/${id}/versions`)
    expect([body.version, body.processing_pipeline]).toEqual([2, 'low_latency'])
    await ada.processed(id)
    const inParts = async (more: Record<string, string>) => {
      const content = Buffer.from(text())
      const said = { name: 'quick.txt', size: content.length, document_id: id, ...more }
      const { body: begun } = await ada.call('POST', '/documents/uploads', said)
      await ada.upload(
        { name: 'part', content, fields: { offset: '0' } },
        `/documents/uploads/${begun.id}/parts`,
      )
      await ada.call('POST', `/documents/uploads/${begun.id}/complete`)
      const { version, processing_pipeline } = await ada.processed(id)
      return [version, processing_pipeline]
    }
    expect(await inParts({})).toEqual([3, 'low_latency'])
    expect(await inParts({ processing_pipeline: 'normal' })).toEqual([4, 'normal'])
    expect(await inParts({})).toEqual([5, 'normal'])
  })

  it('fails with a reason when it cannot be parsed, and can be retried', async () => {
    const id = await added('strange.bin', '\0\u0001\u0002\0')
    const failed = await ada.processed(id)
    expect([failed.status, failed.current_phase, failed.failure?.code]).toEqual([
      'failed',
      'PARSING',
      'unsupported',
    ])
    expect(failed.error_message).toBe('Files of this kind cannot be read.')
    // The retry may fail before the response is sent.
    expect((await ada.call('POST', `/documents/${id}/retry`)).status).toBe(200)
    expect((await ada.processed(id)).status).toBe('failed')
    const { attempt } = await app.deps.db
      .selectFrom('readings')
      .innerJoin('documents', 'documents.reading_id', 'readings.id')
      .select('readings.attempt')
      .where('documents.id', '=', id)
      .executeTakeFirstOrThrow()
    expect(attempt).toBe(2)
    expect((await ada.call('POST', `/documents/${id}/cancel`)).status).toBe(409)
  })
})

describe('an upload', () => {
  it('is refused with one sentence and stores nothing when it is empty, too large or no file', async () => {
    expect(await ada.upload({ name: 'empty.txt', content: '' })).toMatchObject({
      status: 422,
      body: { detail: 'The file is empty.' },
    })
    const large = { name: 'large.txt', content: Buffer.alloc(1024 * 1024 + 1, 'x').toString() }
    expect(await ada.upload(large)).toMatchObject({
      status: 413,
      body: { detail: 'The file is larger than 1 MB, the upload limit.' },
    })
    expect((await ada.call('POST', '/documents/upload', {})).status).toBe(400)
  })

  it.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\temp\\plan.txt', 'plan.txt'],
    ['..', 'file'],
  ])('called %s is named %s in the library', async (name, shown) => {
    const { status, body } = await ada.upload({ name, content: text() })
    expect([status, body.name]).toEqual([201, shown])
  })

  it('keeps its folders as tags [IN-17]', async () => {
    const { body } = await ada.upload({
      name: 'a.txt',
      content: text(),
      fields: { path: 'Offers/2026/../Lot 3' },
    })
    expect(body.tags).toEqual(['Offers', '2026', 'Lot 3'])
  })

  it('arrives in parts, resumes after an interruption, and is complete [IN-05]', async () => {
    const content = Buffer.from(text().repeat(1000))
    const { body: begun } = await ada.call('POST', '/documents/uploads', {
      name: 'parts.txt',
      size: content.length,
    })
    const send = (offset: number, end: number) =>
      ada.upload(
        { name: 'part', content: content.subarray(offset, end), fields: { offset: String(offset) } },
        `/documents/uploads/${begun.id}/parts`,
      )
    expect((await send(0, 10_000)).body.received).toBe(10_000)
    expect((await send(0, 5_000)).body.received).toBe(10_000)
    expect((await send(20_000, 30_000)).body.received).toBe(10_000)
    expect((await ada.call('POST', `/documents/uploads/${begun.id}/complete`)).status).toBe(409)
    expect((await ada.call('GET', `/documents/uploads/${begun.id}`)).body.received).toBe(10_000)
    await send(10_000, content.length)
    const { status, body } = await ada.call('POST', `/documents/uploads/${begun.id}/complete`)
    expect(status).toBe(201)
    expect((await ada.bytes(`/documents/${body.id}/content?original=true`)).content.equals(content)).toBe(
      true,
    )
    const left = []
    for await (const key of app.deps.files.list()) if (key.startsWith('uploads/')) left.push(key)
    expect(left).toEqual([])
  })

  it('leaves nothing when it is cancelled in parts', async () => {
    const { body: begun } = await ada.call('POST', '/documents/uploads', { name: 'parts.txt', size: 100 })
    const part = { name: 'part', content: 'x'.repeat(50), fields: { offset: '0' } }
    await ada.upload(part, `/documents/uploads/${begun.id}/parts`)
    const grace = await aReader(app, base)
    expect((await grace.call('GET', `/documents/uploads/${begun.id}`)).status).toBe(403)
    expect((await grace.call('GET', '/documents/uploads')).body.items).toEqual([])
    expect((await ada.call('GET', '/documents/uploads')).body.items).toMatchObject([{ id: begun.id }])
    expect((await ada.call('DELETE', `/documents/uploads/${begun.id}`)).status).toBe(204)
    expect((await ada.call('GET', `/documents/uploads/${begun.id}`)).status).toBe(404)
    const left = []
    for await (const key of app.deps.files.list()) if (key.startsWith('uploads/')) left.push(key)
    expect(left).toEqual([])
  })
})
