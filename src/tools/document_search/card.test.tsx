import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { citationTag } from '#shared/platform/citations/citation-tags.ts'
import type { FoundPassage } from '#shared/platform/citations/passages.ts'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { shownPassages } from '../../web/platform/citations/passage-carousel.tsx'
import type { CardBodyProps } from '../../web/platform/ui/card-parts.ts'
import card from './card.tsx'
import { readPhases } from './phases.ts'

/** An intersection observer that reports elements as visible once. */
class Seen {
  private readonly look: () => void
  constructor(look: () => void) {
    this.look = look
  }
  observe = () => this.look()
  disconnect = () => undefined
}

const user = userEvent.setup()
afterEach(leavePage)

const found = (patch: Partial<FoundPassage> = {}): FoundPassage => ({
  ...{ chunk_id: crypto.randomUUID(), document_id: crypto.randomUUID(), document_name: 'Lease.pdf' },
  ...{ heading_path: [], page_number: 4, place: { page: 4 } },
  ...{ rank: 1, used_in_response: false, ...patch },
})
const update = (phase: string, status: string, data?: Record<string, unknown>): ToolEvent => ({
  ...{ type: 'phase_update', phase, status },
  ...(data && { data }),
})
const says = (content: string): ToolEvent => ({ type: 'partial', data: { content } })
const searched = { documents: 12, passages: 40 }
const draw = (props: Partial<CardBodyProps>, language = 'en') =>
  renderPage(
    <card.Body status="done" input={{ query: 'What is the rent?' }} result={null} events={[]} {...props} />,
    { path: '/chat/session-1', language, answers: { 'POST /rag/passages': ({ body }) => words(body) } },
  )
/** Passages whose documents were deleted or are no longer shared. */
const withdrawn = new Set<string>()
const words = (body: unknown) => ({
  passages: (body as { chunk_ids: string[] }).chunk_ids
    .filter((chunk_id) => !withdrawn.has(chunk_id))
    .map((chunk_id) => ({ chunk_id, text_preview: 'The rent is 4,200.' })),
})

describe('phases of a document search', () => {
  it('are four, each pending, started or completed [DS-06]', () => {
    expect(readPhases([], false)).toEqual({
      ...{ SEARCH_PREPARATION: 'pending', RETRIEVAL: 'pending', RERANKING: 'pending', GENERATION: 'pending' },
    })
    expect(readPhases([update('RETRIEVAL', 'started')], false).RETRIEVAL).toBe('started')
    expect(readPhases([update('RETRIEVAL', 'completed')], false).RETRIEVAL).toBe('completed')
  })

  it('are completed by a later one [DS-07]', () => {
    expect(Object.values(readPhases([update('RERANKING', 'started')], false))).toEqual([
      ...['completed', 'completed', 'started', 'pending'],
    ])
  })

  it('end with writing, which starts with the first words and completes at the end [DS-08]', () => {
    const begun = [update('RETRIEVAL', 'started'), says('It'), says(' is')]
    expect(Object.values(readPhases(begun, false))).toEqual([...Array(3).fill('completed'), 'started'])
    expect(readPhases([...begun, update('GENERATION', 'completed')], false).GENERATION).toBe('completed')
    expect(readPhases(begun, true).GENERATION).toBe('completed')
  })
})

describe('document search card', () => {
  const cited = found({
    document_name: 'Rents.xlsx',
    page_number: null,
    place: { sheet: 'March' },
    rank: 3,
    used_in_response: true,
  })
  const other = found({ rank: 1 })
  const tag = citationTag(cited.chunk_id, 1)

  it('shows its phases, search terms and passages while it runs', async () => {
    const told = update('RERANKING', 'completed', {
      question: 'What is the rent in March?',
      passages: [other],
      searched,
    })
    await draw({ status: 'running', events: [told, says(`It is 4,200 ${tag}`)] })
    const steps = screen.getAllByRole('listitem').slice(0, 4)
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      ...['Preparingdone', 'Searchingdone', 'Rankingdone', 'Writingunder way'],
    ])
    expect(screen.getByText('Searched as: What is the rent in March?')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Source 1, on its way' })).toBeTruthy()
    expect(await screen.findByText('The rent is 4,200.')).toBeTruthy()
  })

  it('shows the answer, its sources, and what was searched', async () => {
    const result = {
      question: 'What is the rent?',
      response: `It is 4,200 ${tag}.`,
      is_answered: true,
      sources: [other, cited],
      doubts: [],
      searched,
    }
    await draw({ result })
    expect(screen.getByRole('link', { name: 'Source 1: Rents.xlsx, sheet March' })).toBeTruthy()
    expect(screen.getByText('Searched 12 documents, 40 passages found.')).toBeTruthy()
    expect(screen.queryByText(/^Searched as/)).toBeNull()
    await screen.findAllByText('The rent is 4,200.')
    const tiles = within(screen.getByRole('group', { name: 'Passages' })).getAllByRole('listitem')
    expect(tiles.map(({ textContent }) => textContent)).toEqual([
      'XLSRents.xlsxSource 1The rent is 4,200.sheet March',
      'PDFLease.pdfThe rent is 4,200.p. 4',
    ])
  })

  it('lists documents that were not searched because they are being processed or failed', async () => {
    const left_out = {
      reading: { documents: 1, names: ['Scan.pdf'] },
      failed: { documents: 7, names: ['A.pdf', 'B.pdf'] },
    }
    const result = { question: 'q', response: 'So.', is_answered: true, sources: [], doubts: [], searched }
    await draw({ result: { ...result, left_out } })
    expect(screen.getByText('Still being read: Scan.pdf')).toBeTruthy()
    expect(screen.getByText('Could not be read: A.pdf, B.pdf, 5 more')).toBeTruthy()
  })

  it("says in the reader's language that the documents do not contain it", async () => {
    const result = {
      question: 'What is the rent?',
      response: 'Rien.',
      is_answered: false,
      sources: [],
      doubts: [],
      searched,
    }
    await draw({ result }, 'fr')
    expect(screen.getByText('Absent de vos documents.')).toBeTruthy()
    expect(screen.getByText(/^Recherche\s: 12 documents, 40 passages\.$/)).toBeTruthy()
  })

  it('scrolls its passages by 300 px per click [DS-01]', async () => {
    const scrollBy = vi.fn()
    Element.prototype.scrollBy = scrollBy
    // Six tiles in a card with space for three.
    const wide = vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(1200)
    const narrow = vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(600)
    vi.stubGlobal('ResizeObserver', Seen)
    const sources = Array.from({ length: 6 }, (_, at) => found({ rank: at + 1 }))
    await draw({
      result: { question: 'q', response: 'So.', is_answered: true, sources, doubts: [], searched },
    })
    const on = await screen.findByRole<HTMLButtonElement>('button', { name: 'Scroll on' })
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Scroll back' }).disabled).toBe(true)
    await user.click(on)
    expect(scrollBy).toHaveBeenCalledWith({ left: 300, behavior: 'smooth' })
    narrow.mockReturnValue(1200)
    fireEvent.scroll(screen.getByRole('list', { name: '' }))
    expect(on.disabled).toBe(true)
    for (const one of [wide, narrow]) one.mockRestore()
    vi.unstubAllGlobals()
  })

  it('shows passages with a rank, and marks those the answer cites [DS-02]', () => {
    const shown = shownPassages([found({ rank: null, document_name: 'none' }), other, cited])
    expect(shown).toEqual([cited, other])
  })

  it('shows at most ten passages', () => {
    expect(shownPassages(Array.from({ length: 14 }, (_, at) => found({ rank: at + 1 })))).toHaveLength(10)
  })

  it('keeps the number of a withdrawn passage, says so, and shows none of its text', async () => {
    withdrawn.add(cited.chunk_id)
    const result = {
      ...{ question: 'q', response: `It is 4,200 ${tag}.`, is_answered: true, sources: [other, cited] },
      ...{ doubts: [], searched },
    }
    await draw({ result })
    await screen.findByText('The rent is 4,200.')
    const [gone] = within(screen.getByRole('group', { name: 'Passages' })).getAllByRole('listitem')
    expect(gone?.textContent).toBe(
      'XLSRents.xlsxSource 1This document was deleted, or is no longer shared with you.sheet March',
    )
    expect(screen.getByRole('link', { name: /^Source 1: Rents\.xlsx/ })).toBeTruthy()
    withdrawn.clear()
  })

  it('says that the document of a passage is gone, and opens nothing', async () => {
    const result = {
      question: 'q',
      response: 'So.',
      is_answered: true,
      sources: [other],
      doubts: [],
      searched,
    }
    const view = await draw({ result })
    await user.click(await screen.findByText('The rent is 4,200.'))
    expect(
      await screen.findByText('This document was deleted, or is no longer shared with you.'),
    ).toBeTruthy()
    await waitFor(() => expect(view.hrefNow()).toBe('/chat/session-1'))
  })
})
