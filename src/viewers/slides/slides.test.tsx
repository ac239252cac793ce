import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Element as Read } from '#shared/knowledge/documents/documents.ts'
import { aChunk } from '#tests/web/chunk-builder.ts'
import { aDocument } from '#tests/web/document-builder.ts'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import SlidesView from './view.tsx'

beforeEach(() => {
  prepareBrowser()
  Element.prototype.scrollIntoView = vi.fn()
})
afterEach(() => leavePage())

const element = (type: string, text: string, extra: Record<string, boolean> = {}): Read => ({
  ...{ element_id: `${type} ${text}`, type, text },
  metadata: {
    ...{ page_number: 1, bbox: null, coordinates: null, all_bboxes: [], parent_id: null },
    ...{ timeline_position: null, start: null, end: null, words: [], filename: 'a', filetype: 'pptx' },
    element_metadata: { span: [0, 0], extra },
  },
})
const slide = (number: number) => ({
  number,
  ...{ page: { width: 720, height: 540, rotation: 0 }, words: [] },
  elements: [
    element('Title', `Title ${number}`),
    element('ListItem', `Point ${number}`),
    element('NarrativeText', `Said ${number}`, { notes: true }),
  ],
})

describe('presentation without pages', () => {
  it('shows the content and notes of all slides, and marks the passage', async () => {
    const document = aDocument({ name: 'Deck.pptx' })
    const all = Array.from({ length: 120 }, (_, at) => slide(at + 1))
    const { sent } = await renderPage(
      <SlidesView
        document={document}
        chunk={aChunk({ text: 'Title 117\nPoint 117', place: { page: 117 }, page_number: 117 })}
        linkTo={() => ({ href: '#', onClick: () => undefined })}
      />,
      {
        answers: {
          [`GET /documents/${document.id}/elements`]: ({ query }) => {
            const [from, to] = [Number(query.get('from')), Number(query.get('to'))]
            return { parts: all.slice(from - 1, to), total_parts: all.length }
          },
        },
      },
    )
    const slides = await screen.findAllByRole('listitem')
    expect(slides).toHaveLength(120)
    expect(within(slides[1]!).getByRole('heading', { name: 'Title 2' })).toBeTruthy()
    expect(within(slides[1]!).getByText('Notes').nextSibling?.textContent).toBe('Said 2')
    expect(sent.filter(({ path }) => path.endsWith('/elements'))).toHaveLength(2)
    const marked = [...globalThis.document.querySelectorAll('[data-passage]')]
    expect(marked.map(({ textContent }) => textContent)).toEqual(['Title 117', 'Point 117'])
    const [seen] = vi.mocked(Element.prototype.scrollIntoView).mock.contexts as HTMLElement[]
    expect(seen?.dataset.slide).toBe('117')
  })
})
