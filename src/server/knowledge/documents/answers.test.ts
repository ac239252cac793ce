import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aSession } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { buildPdf, write } from '#tests/pdf.ts'
import { zipOf } from '#tests/zip.ts'

let app: TestApp
let base: string
let ada: Reader
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base)
})
afterAll(() => app.close())

const aPdf = () =>
  buildPdf([
    {
      content: [write(72, 700, 'Offer of lot 3', { size: 20, font: 'bold' }), write(72, 650, 'It costs 41.')],
    },
  ]) as Uint8Array<ArrayBuffer>
let made = 0
const added = async (who: Reader, content = `Text ${++made}.`, name = 'a.txt', fields = {}) =>
  (await who.upload({ name, content, fields })).body.id as string

describe('document routes', () => {
  it('return the fields of a document and its parsed content [DO-01, DO-02, SV-63, SV-65, TO-21]', async () => {
    const content = aPdf()
    const { status, body } = await ada.upload({ name: 'Offer.PDF', content })
    expect(status).toBe(201)
    const document = await ada.processed(body.id)
    const file = { size: content.length, name: 'Offer.PDF', extension: 'pdf' }
    expect(document).toMatchObject({
      ...{ name: 'Offer.PDF', extension: 'pdf', normalized_extension: 'pdf', status: 'completed' },
      ...{ file_type: 'application/pdf', mime_type: 'application/pdf' },
      ...{ size: content.length, file_size: content.length, current_phase: null, is_starred: false },
      ...{ company_id: null, user_id: ada.user.id, processing_pipeline: 'normal', duration: null },
      ...{ error_message: null, download_url: `/documents/${body.id}/content?original=true` },
      content_url: `/documents/${body.id}/content`,
      markdown_content: expect.stringContaining('Offer of lot 3'),
      text_markdown_content: expect.stringContaining('It costs 41.'),
      parsed_data: [{ text: 'Offer of lot 3' }, { text: 'It costs 41.' }],
    })
    for (const at of [document.date, document.created_at, document.updated_at])
      expect(new Date(at).toISOString()).toBe(at)
    expect(document.doc_metadata).toMatchObject({
      ...{ markdown_content: document.markdown_content, parsed_data: document.parsed_data },
      ...{ text_markdown_content: document.text_markdown_content, pdf_parsed_data: document.parsed_data },
      pdf_version: `/documents/${body.id}/content`,
      ...{ converted_from: null, content_type: 'application/pdf', filename: 'Offer.PDF', title: null },
      file_info: { ...file, source_url: null },
      parsing_metadata: { file_info: file, timing: { total_seconds: expect.any(Number) } },
      chunking_metadata: { strategy: 'by_elements', chunks: 1 },
      ...{ processing_pipeline: 'normal', chunking_strategy: 'by_elements' },
    })
    const { answer, content: pages } = await ada.bytes(document.doc_metadata.pdf_version!)
    expect([answer.status, pages.equals(content)]).toEqual([200, true])
    expect((await ada.call('GET', '/documents/00000000-0000-4000-8000-000000000000')).status).toBe(404)
  })

  it('tell the title, the address and the kind of a page that is shown in another form [DO-02]', async () => {
    const content = `<!doctype html><title>Prices of lot 3</title>
      <link rel="canonical" href="https://example.com/lot-3"><p>It costs 41.</p>`
    const who = await aReader(app, base)
    const { body } = await who.upload({ name: 'Page.htm', content })
    const { doc_metadata } = await who.processed(body.id)
    expect(doc_metadata).toMatchObject({
      ...{ title: 'Prices of lot 3', converted_from: 'html' },
      file_info: { name: 'Page.htm', source_url: 'https://example.com/lot-3' },
    })
  })

  it('read an upload with the named pipeline, whole or in parts, including the files inside it [SV-63]', async () => {
    const who = await aReader(app, base)
    const processing_pipeline = 'low_latency'
    const pipelineOf = async (id: string) => (await who.processed(id)).processing_pipeline
    const content = new Uint8Array(zipOf({ 'inside.txt': 'Read in a moment.' }))
    const { body: whole } = await who.upload({ name: 'a.zip', content, fields: { processing_pipeline } })
    expect([whole.processing_pipeline, await pipelineOf(whole.id)]).toEqual(['low_latency', 'low_latency'])
    const [inside] = (await who.call('GET', `/documents?parent_id=${whole.id}`)).body.items
    expect(inside.processing_pipeline).toBe('low_latency')
    const said = { name: 'parts.txt', size: 5, processing_pipeline }
    const { body: begun } = await who.call('POST', '/documents/uploads', said)
    const part = { name: 'parts.txt', content: 'Parts', fields: { offset: '0' } }
    await who.upload(part, `/documents/uploads/${begun.id}/parts`)
    const { body: parts } = await who.call('POST', `/documents/uploads/${begun.id}/complete`)
    expect(await pipelineOf(parts.id)).toBe('low_latency')
    expect(await pipelineOf(await added(who))).toBe('normal')
  })

  it('omit long contents from a document and all contents from a list', async () => {
    const long = 'A sentence of some words. '.repeat(12_000)
    const { id } = await ada.processed(await added(ada, long))
    const { body } = await ada.call('GET', `/documents/${id}`)
    expect([body.text_markdown_content, body.parsed_data]).toEqual([null, null])
    const { items } = (await ada.call('GET', '/documents')).body
    expect(items.map((one: { markdown_content: unknown }) => one.markdown_content)).toEqual([null, null])
  })

  it('return the fields of chunks, single chunks, and how they were made [DO-04, SV-67, SV-82]', async () => {
    const id = (await ada.upload({ name: 'b.pdf', content: aPdf() })).body.id
    await ada.processed(id)
    const { body } = await ada.call('GET', `/documents/${id}/chunks`)
    const [chunk] = body.chunks
    expect(chunk).toMatchObject({
      ...{ id: expect.any(String), element_id: expect.any(String), type: 'NarrativeText' },
      ...{ text: 'Offer of lot 3\nIt costs 41.', content: 'Offer of lot 3\nIt costs 41.', page_number: 1 },
      metadata: { timeline_position: null, start_time_from_meta: null, page_number: 1 },
      ...{ has_embeddings: true, chunk_size: 27, certainty: null, distance: null },
    })
    const number = expect.any(Number)
    expect(body.processing_info).toEqual({
      ...{ processing_pipeline: 'normal', chunking_strategy: 'by_elements' },
      ...{ embedding_model: 'atrium/lexical', parse_time: number },
      ...{ chunking_time: number, embedding_time: number },
    })
    expect((await ada.call('GET', `/documents/${id}/chunks/${chunk.id}`)).body).toEqual({
      ...chunk,
      version: 1,
    })
    expect((await ada.call('GET', `/documents/${id}/chunks/${id}`)).status).toBe(404)
  })

  it('return the bytes, and star, reprocess and delete a document [SV-64, SV-66, SV-68, SV-83]', async () => {
    const id = await added(ada, 'Some bytes.')
    await ada.processed(id)
    expect((await ada.bytes(`/documents/${id}/content`)).content.toString()).toBe('Some bytes.')
    expect((await ada.call('PATCH', `/documents/${id}`, { is_starred: true })).body.is_starred).toBe(true)
    const { status, body } = await ada.call('POST', `/documents/${id}/reprocess`, { pipeline: 'low_latency' })
    expect([status, body.processing_pipeline]).toEqual([200, 'low_latency'])
    await ada.processed(id)
    expect((await ada.call('DELETE', `/documents/${id}`)).status).toBe(204)
    expect((await ada.bytes(`/documents/${id}/content`)).answer.status).toBe(404)
  })

  it('list 50 documents per page, of the library, a chat or a workspace, and count them [DO-05, SV-60]', async () => {
    const who = await aReader(app, base)
    const chat = (await aSession(app, who.user)).id
    const { body: shelf } = await who.call('POST', '/workspaces', { name: 'Offers' })
    for (let at = 0; at < 51; at += 1) await added(who)
    const inChat = await added(who, 'In a chat.', 'chat.txt', { chat_session_id: chat })
    const onShelf = await added(who, 'On a shelf.', 'shelf.txt', { workspace_id: shelf.id })
    const list = async (query: string) => (await who.call('GET', `/documents/?${query}`)).body
    const first = await list('page=1&limit=50')
    expect([first.items.length, first.total, first.has_more, first.page]).toEqual([50, 53, true, 1])
    const second = await list('page=2')
    expect([second.items.length, second.has_more]).toEqual([3, false])
    const ids = async (query: string) => (await list(query)).items.map(({ id }: { id: string }) => id)
    expect(await ids(`chat_session_id=${chat}`)).toEqual([inChat])
    expect(await ids(`workspace_id=${shelf.id}`)).toEqual([onShelf])
    const { body: count } = await who.call('GET', `/documents/workspace/${shelf.id}/documents/count`)
    expect(count).toEqual({ total: 1 })
  })
})

describe('a shared document', () => {
  it('is readable by its owner’s company and changed by its owner alone [DO-17]', async () => {
    const companyId = await aCompany(app)
    const owner = await aReader(app, base)
    const [colleague, stranger] = [await aReader(app, base), await aReader(app, base)]
    const join = (who: Reader, role: string, company_id = companyId) =>
      app.deps.db.insertInto('company_members').values({ company_id, user_id: who.user.id, role }).execute()
    await join(owner, 'company_admin')
    await join(colleague, 'member')
    await join(stranger, 'company_admin', await aCompany(app))
    const id = (
      await owner.upload({ name: 'a.zip', content: new Uint8Array(zipOf({ 'in.txt': 'Inside.' })) })
    ).body.id
    await owner.processed(id)
    const [inner] = (await owner.call('GET', `/documents?parent_id=${id}`)).body.items
    const { total } = (await owner.call('GET', '/documents')).body
    expect((await owner.call('GET', '/documents/state')).body.counts.total).toBe(total)
    const status = async (who: Reader, one = id) => (await who.call('GET', `/documents/${one}`)).status
    expect([await status(colleague), await status(stranger)]).toEqual([403, 403])
    const { body } = await owner.call('PATCH', `/documents/${id}`, { shared_access: true })
    expect([body.shared_access, body.company_id]).toEqual([true, companyId])
    for (const one of [id, inner.id])
      expect([await status(colleague, one), await status(stranger, one)]).toEqual([200, 403])
    const listed = (await colleague.call('GET', '/documents')).body.items
    expect(listed.map((one: { id: string }) => one.id)).toEqual([id])
    expect((await stranger.call('GET', '/documents')).body.total).toBe(0)
    const change = { shared_access: false }
    for (const who of [colleague, stranger])
      expect((await who.call('PATCH', `/documents/${id}`, change)).status).toBe(403)
    expect((await colleague.call('DELETE', `/documents/${id}`)).status).toBe(403)
    await owner.call('PATCH', `/documents/${id}`, change)
    expect([await status(colleague), await status(colleague, inner.id)]).toEqual([403, 403])
    // Members cannot share documents.
    const own = await added(colleague)
    const refused = await colleague.call('PATCH', `/documents/${own}`, { shared_access: true })
    expect([refused.status, (await colleague.call('GET', `/documents/${own}`)).body.company_id]).toEqual([
      403,
      null,
    ])
  })
})
