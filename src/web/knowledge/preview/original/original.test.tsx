import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import type { SheetList } from '#shared/knowledge/documents/kept-files.ts'
import { aChunk } from '#tests/web/chunk-builder.ts'
import { aDocument } from '#tests/web/document-builder.ts'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { PreviewView } from '../preview-view.tsx'

beforeEach(() => prepareBrowser())
afterEach(() => {
  vi.restoreAllMocks()
  leavePage()
})

const metadata = (files: string[]) => ({ ...aDocument().doc_metadata, files })
const sheets: SheetList = {
  sheets: [
    {
      ...{ name: 'Prices', hidden: false, rows: 1, columns: 1, widths: [], merges: [] },
      ...{ frozen: { rows: 0, columns: 0 }, blocks: 1, notation: 'en' },
    },
  ],
}

/** Shows a document in its original view; without given content, loading fails. */
async function show(given: Partial<Document>, content?: () => unknown, chunk = '', more: Answers = {}) {
  URL.createObjectURL = () => 'blob:content'
  URL.revokeObjectURL = () => {}
  const document = aDocument(given)
  const path = `/documents/${document.id}`
  const page = await renderPage(<PreviewView />, {
    path: `${path}?view=original${chunk && `&chunk=${chunk}`}`,
    answers: {
      ...{ [`GET ${path}`]: () => document, 'GET /documents/': () => document },
      ...(content && { [`GET ${path}/content`]: content }),
      [`POST ${path}/playback`]: () => ({ ticket: crypto.randomUUID(), media_type: typeOf(document) }),
      [`GET ${path}/elements`]: () => ({ parts: [], total_parts: 0 }),
      [`GET ${path}/files/sheets.json`]: () => sheets,
      [`GET ${path}/files/sheet-0-rows-0.json`]: () => ({ first: 0, rows: [[{ c: 0, v: '41', t: 'n' }]] }),
      ...more,
    },
  })
  return { ...page, document }
}

/** Returns its type as the server names it. */
const typeOf = ({ extension }: Document) =>
  ({ mp4: 'video/mp4', webm: 'video/webm', ogg: 'audio/ogg', mp3: 'audio/mpeg' })[extension] ?? 'audio/wav'

describe('original view', () => {
  it('is chosen by kind: pictures with recognized text, pages of PDF and office files, video, sound, otherwise the fallback page [PV-08]', async () => {
    for (const extension of ['png', 'jpg', 'jpeg', 'gif', 'webp']) {
      await show({ name: `a.${extension}` }, () => new Response('x'))
      expect(await screen.findByRole('region', { name: /^Picture/ })).toBeTruthy()
      expect(screen.getByRole('switch', { name: 'Parsed data' })).toBeTruthy()
      leavePage()
    }
    const office = ['doc', 'docx', 'ppt', 'pptx', 'odt', 'odp', 'rtf']
    const books = ['xls', 'xlsx', 'ods']
    for (const extension of ['pdf', ...office, ...books]) {
      const files = [...(books.includes(extension) ? ['sheets.json'] : []), 'view.pdf']
      const doc_metadata = metadata(extension === 'pdf' ? [] : files)
      await show({ name: `a.${extension}`, doc_metadata }, () => new Response('no PDF'))
      // A workbook opens in its grid, with its pages one click away.
      if (books.includes(extension)) {
        expect(await screen.findByRole('tab', { name: 'Prices' })).toBeTruthy()
        await userEvent.click(screen.getByRole('button', { name: 'Pages' }))
      }
      expect(await screen.findByText('The PDF could not be shown.')).toBeTruthy()
      leavePage()
    }
    for (const [extension, kind] of [
      ...[['mp4', 'video'] as const, ['webm', 'video'] as const, ['ogg', 'video'] as const],
      ...[['mp3', 'audio'] as const, ['wav', 'audio'] as const],
    ]) {
      const { container } = await show({ name: `a.${extension}` })
      await waitFor(() => expect([extension, container.querySelector(kind)]).not.toEqual([extension, null]))
      leavePage()
    }
    await show({ name: 'a.epub' })
    expect(await screen.findByRole('heading', { name: 'EPUB files cannot be shown here' })).toBeTruthy()
  })

  it('requests documents and passages as bytes [ER-09]', async () => {
    const read: string[] = []
    /** An answer that reports how it is read. */
    const told = (name: string, body: string) => () => {
      const answer = new Response(body)
      for (const way of ['text', 'json', 'arrayBuffer', 'blob'] as const) {
        const original = answer[way].bind(answer)
        answer[way] = () => {
          read.push(`${name} ${way}`)
          return original() as never
        }
      }
      return answer
    }
    const chunk = aChunk()
    const id = crypto.randomUUID()
    const passage = {
      [`GET /documents/${id}/chunks/${chunk.id}`]: told('chunk', JSON.stringify({ ...chunk, version: 1 })),
    }
    await show({ id, name: 'a.png' }, told('picture', 'x'), chunk.id, passage)
    expect(await screen.findByRole('region', { name: /^Picture/ })).toBeTruthy()
    leavePage()
    await show({ name: 'a.pdf' }, told('pdf', 'no PDF'))
    expect(await screen.findByText('The PDF could not be shown.')).toBeTruthy()
    leavePage()
    const book = crypto.randomUUID()
    await show({ id: book, name: 'a.xlsx', doc_metadata: metadata(['sheets.json']) }, undefined, '', {
      [`GET /documents/${book}/files/sheets.json`]: told('sheets', JSON.stringify(sheets)),
    })
    expect(await screen.findByRole('tab', { name: 'Prices' })).toBeTruthy()
    expect(read.toSorted()).toEqual(['chunk blob', 'pdf blob', 'picture blob', 'sheets blob'])
  })

  it('explains missing pages of an office file', async () => {
    const doc_metadata = metadata(['digitized.md'])
    await show({ name: 'a.docx', doc_metadata, processing_pipeline: 'low_latency' })
    expect(await screen.findByText(/The pipeline Fast draws no pages/)).toBeTruthy()
    leavePage()
    await show({ name: 'a.docx', doc_metadata })
    expect(await screen.findByText(/Its pages could not be drawn/)).toBeTruthy()
  })
})
