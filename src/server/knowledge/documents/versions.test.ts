import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import type { DocumentVersion } from '../../../shared/knowledge/documents/versions.ts'

let app: TestApp
let base: string
let ada: Reader
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base)
})
afterAll(() => app.close())

const [FIRST, SECOND] = ['The old price is 4.', 'The new price is 5, and a little more.']

/** Uploads a document and makes three versions: a file, a newer file, and that with another pipeline. */
async function aDocument(): Promise<string> {
  const { body } = await ada.upload({ name: 'price.txt', content: FIRST })
  await ada.processed(body.id)
  await ada.upload({ name: 'price 2.csv', content: SECOND }, `/documents/${body.id}/versions`)
  await ada.processed(body.id)
  await ada.call('POST', `/documents/${body.id}/reprocess`, { pipeline: 'low_latency' })
  await ada.processed(body.id)
  return body.id
}

const versionsOf = async (id: string, query = '') =>
  (await ada.call('GET', `/documents/${id}/versions${query}`)).body
const search = async (id: string) => {
  const filters = [{ property: 'document_id', operator: 'equal', value: id }]
  const asked = { query: 'price', use_bm25: true, filters }
  const { body } = await ada.call('POST', '/search_and_rerank/search_and_rerank', asked)
  return body.objects.map(({ content }: { content: string }) => content)
}

describe('document versions', () => {
  it('are listed with time and size, the newest first', async () => {
    const id = await aDocument()
    const { items, total, has_more } = await versionsOf(id)
    const told = items.map(({ created_at, ...one }: DocumentVersion) => ({
      ...one,
      isTime: !!Date.parse(created_at),
    }))
    const same = { status: 'completed', isTime: true }
    const second = { name: 'price 2.csv', size: SECOND.length, ...same }
    expect([total, has_more]).toEqual([3, false])
    expect(told).toEqual([
      { version: 3, ...second, processing_pipeline: 'low_latency', is_same_file: true, is_in_use: true },
      { version: 2, ...second, processing_pipeline: 'normal', is_same_file: false, is_in_use: false },
      {
        ...{ version: 1, name: 'price.txt', size: FIRST.length, ...same, processing_pipeline: 'normal' },
        ...{ is_same_file: false, is_in_use: false },
      },
    ])
    const page = await versionsOf(id, '?limit=2&page=2')
    expect([page.items.length, page.items[0].version, page.has_more]).toEqual([1, 1, false])
  })

  it('are served as they were: name, size, format, file, text, elements and report', async () => {
    const id = await aDocument()
    const { body } = await ada.call('GET', `/documents/${id}?version=1`)
    expect(body).toMatchObject({
      ...{ id, version: 1, newest_version: 3, name: 'price.txt', extension: 'txt', size: FIRST.length },
      ...{ text_markdown_content: FIRST, processing_pipeline: 'normal' },
    })
    const { content } = await ada.bytes(`/documents/${id}/files/text.md?version=1`)
    expect(content.toString()).toBe(FIRST)
    const { parts } = (await ada.call('GET', `/documents/${id}/elements?version=1`)).body
    expect(parts[0].elements[0].text).toBe(FIRST)
    expect((await ada.call('GET', `/documents/${id}/report?version=1`)).body.words).toBe(5)
    for (const path of ['?version=9', '/report?version=9', '/files/text.md?version=9'])
      expect((await ada.call('GET', `/documents/${id}${path}`)).status).toBe(404)
  })

  it('are restored as the newest version without reprocessing, and other citations stay valid', async () => {
    const id = await aDocument()
    const { body: cited } = await ada.call('GET', `/documents/${id}/chunks`)
    const { status, body } = await ada.call('POST', `/documents/${id}/versions/1/restore`)
    expect([status, body.version, body.newest_version, body.name, body.status]).toEqual([
      ...[200, 4, 4, 'price.txt', 'completed'],
    ])
    expect((await ada.bytes(`/documents/${id}/content`)).content.toString()).toBe(FIRST)
    expect(await search(id)).toEqual([FIRST])
    const { body: old } = await ada.call('GET', `/documents/${id}/chunks/${cited.chunks[0].id}`)
    expect(old.version).toBe(3)
    const { items } = await versionsOf(id)
    expect(items.map(({ is_in_use }: DocumentVersion) => is_in_use)).toEqual([true, false, false, false])
    const again = await ada.call('POST', `/documents/${id}/versions/1/restore`)
    expect([again.status, again.body.detail]).toEqual([409, 'This version is already shown.'])
    const never = await ada.call('POST', `/documents/${id}/versions/9/restore`)
    expect([never.status, never.body.detail]).toEqual([404, 'This document has no such version.'])
  })

  it('are listed for everyone who may read the document, and restored only by its owner', async () => {
    const companyId = await aCompany(app)
    const [owner, colleague] = await Promise.all(
      (['company_admin', 'member'] as const).map(async (role) =>
        aReader(app, base, await aUser(app, { role, companyId })),
      ),
    )
    const { body } = await owner!.upload({ name: 'a.txt', content: 'One.' })
    await owner!.processed(body.id)
    await owner!.upload({ name: 'a.txt', content: 'Two.' }, `/documents/${body.id}/versions`)
    await owner!.processed(body.id)
    const list = `/documents/${body.id}/versions`
    expect((await colleague!.call('GET', list)).status).toBe(403)
    expect((await colleague!.call('GET', `/documents/${body.id}?version=1`)).status).toBe(403)
    await owner!.call('PATCH', `/documents/${body.id}`, { shared_access: true })
    expect((await colleague!.call('GET', list)).body.total).toBe(2)
    expect((await colleague!.call('POST', `${list}/1/restore`)).status).toBe(403)
  })
})

describe('the encoding of a text', () => {
  const cyrillic = Buffer.from([
    0xc4, 0xee, 0xe3, 0xee, 0xe2, 0xee, 0xf0, 0x20, 0xef, 0xee, 0xe4, 0xef, 0xe8, 0xf1, 0xe0, 0xed,
  ])

  it('is chosen by a user, makes a new version, and stays with the next pipeline', {
    timeout: 120_000,
  }, async () => {
    const { body } = await ada.upload({ name: 'dogovor.txt', content: cyrillic })
    await ada.processed(body.id)
    const again = (wish: object) => ada.call('POST', `/documents/${body.id}/reprocess`, wish)
    await again({ pipeline: 'normal', encoding: 'koi8-r' })
    await ada.processed(body.id)
    expect(await warningsOf(body.id)).toEqual([{ code: 'encoding_chosen', values: { encoding: 'koi8-r' } }])
    await again({ pipeline: 'normal', encoding: 'windows-1251' })
    await ada.processed(body.id)
    await again({ pipeline: 'low_latency' })
    await ada.processed(body.id)
    expect(await warningsOf(body.id)).toEqual([
      { code: 'encoding_chosen', values: { encoding: 'windows-1251' } },
    ])
    const { items } = await versionsOf(body.id)
    expect(items.map(({ version }: DocumentVersion) => version)).toEqual([4, 3, 2, 1])
    expect((await ada.call('GET', `/documents/${body.id}/chunks`)).body.chunks[0].text).toBe(
      'Договор подписан',
    )
    expect((await again({ pipeline: 'normal', encoding: 'latin-klingon' })).status).toBe(422)
  })

  const warningsOf = async (id: string) => (await ada.call('GET', `/documents/${id}/report`)).body.warnings
})
