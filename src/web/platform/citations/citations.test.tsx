import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { citationTag } from '#shared/platform/citations/citation-tags.ts'
import type { FoundPassage, PassagePlace } from '#shared/platform/citations/passages.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import type { Source } from '#shared/runs/runs/sources.ts'
import { aChunk } from '#tests/web/chunk-builder.ts'
import { aPassage } from '#tests/web/passage-builder.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { MessageBlocks } from '../../chat/messages/blocks/message-blocks.tsx'
import PassageCarousel from './passage-carousel.tsx'
import { groupDocuments } from './passage-list.tsx'
import { placeWords } from './place-words.ts'

const user = userEvent.setup()
afterEach(leavePage)

const chunks = Array.from({ length: 3 }, () => crypto.randomUUID())
const tag = (number: number) => citationTag(chunks[number - 1] ?? '', number)
const source = (number: number, passage: PassagePlace = aPassage()): Source => ({
  ...{ id: chunks[number - 1] ?? '', title: passage.document_name, url: null, passage, number },
})

const chunkCall = ({ id, passage }: Source) => `GET /documents/${passage?.document_id}/chunks/${id}`
const knows = (...sources: Source[]): Answers =>
  Object.fromEntries(
    sources.map((one) => [
      chunkCall(one),
      () => ({ ...aChunk({ id: one.id, text: 'The rent is 4,200 euros.' }), version: 1 }),
    ]),
  )

type Drawn = { text?: string; sources?: Source[]; doubts?: object[]; growing?: boolean; answers?: Answers }

function draw({ text = `The rent is 4,200 ${tag(1)}.`, growing = false, answers = {}, ...more }: Drawn) {
  const block = { type: 'text', id: 'text-0', text, ...more } as Block
  return renderPage(<MessageBlocks blocks={[block]} growing={growing} />, {
    path: '/chat/session-1',
    answers,
  })
}
const numbers = () => screen.queryAllByRole('link', { name: /^Source \d+: / })
async function card() {
  // The test page has no layout, so floating cards count as hidden.
  const shown = await screen.findByRole('dialog', { hidden: true })
  expect(shown.getAttribute('aria-label')).toBe('Source 1: Lease.pdf, page 4')
  return shown
}

describe('citation number', () => {
  it('is a disabled placeholder with the same text until its source is known [DS-04]', async () => {
    const view = await draw({ growing: true })
    const waiting = screen.getByRole('link', { name: 'Source 1, on its way' })
    expect(waiting.getAttribute('aria-disabled')).toBe('true')
    await user.click(waiting)
    expect(view.hrefNow()).toBe('/chat/session-1')
    expect(view.container.textContent).toBe('The rent is 4,200\u00a0[1].')
    expect(waiting.className).toBe('cite')
    view.unmount()
    const one = source(1)
    await draw({ growing: true, sources: [one] })
    expect(numbers()[0]?.className).toBe('cite')
  })

  it('opens the document next to the chat at its passage [DS-04]', async () => {
    const one = source(1)
    const view = await draw({ sources: [one], answers: knows(one) })
    const address = `?document=${one.passage?.document_id}&chunk=${one.id}`
    expect(numbers()[0]?.getAttribute('href')).toBe(address)
    await user.click(numbers()[0]!)
    await waitFor(() => expect(view.hrefNow()).toMatch(new RegExp(`/\\${address}$`)))
  })

  it('opens the text read from a web page', async () => {
    const one = source(1, aPassage({ document_name: 'Terms.HTML', page_number: null, place: {} }))
    const view = await draw({ sources: [one], answers: knows(one) })
    await user.click(numbers()[0]!)
    await waitFor(() => expect(view.hrefNow()).toMatch(/&view=digitized$/))
  })

  it('shows the quoted passage with title and place on hover, and hides it afterwards [CX-03]', async () => {
    const one = source(1)
    await draw({ sources: [one], answers: knows(one) })
    fireEvent.pointerOver(numbers()[0]!, { pointerType: 'mouse' })
    const shown = within(await card())
    expect(await shown.findByText('“The rent is 4,200 euros.”')).toBeTruthy()
    expect(shown.getByText('Lease.pdf')).toBeTruthy()
    expect(shown.getByText('p. 4')).toBeTruthy()
    expect(shown.getByText('2. Charges › 2.1 Rent')).toBeTruthy()
    fireEvent.pointerOut(numbers()[0]!, { pointerType: 'mouse', relatedTarget: document.body })
    await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull())
  })

  it('shows it on keyboard focus; Escape closes it and Enter opens the passage [CX-03]', async () => {
    const one = source(1)
    const view = await draw({ sources: [one], answers: knows(one) })
    await user.tab()
    expect(document.activeElement).toBe(numbers()[0])
    await within(await card()).findByText('“The rent is 4,200 euros.”')
    expect(
      document.getElementById(numbers()[0]!.getAttribute('aria-describedby') ?? '')?.textContent,
    ).toContain('4,200')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog', { hidden: true })).toBeNull()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(view.hrefNow()).toContain(`chunk=${one.id}`))
  })

  it('shows it on the first tap, and opens the passage from there [CX-03]', async () => {
    const one = source(1)
    const view = await draw({ sources: [one], answers: knows(one) })
    await user.pointer({ keys: '[TouchA]', target: numbers()[0]! })
    const shown = within(await card())
    await shown.findByText('“The rent is 4,200 euros.”')
    expect(view.hrefNow()).toBe('/chat/session-1')
    await user.click(shown.getByText('Open at the exact place'))
    await waitFor(() => expect(view.hrefNow()).toContain(`chunk=${one.id}`))
  })

  it('says that its document is gone, without a quote or a link', async () => {
    const one = source(1, aPassage())
    const view = await draw({ sources: [{ ...one, snippet: 'The rent is 4,200 euros.' }] })
    await user.click(numbers()[0]!)
    expect(
      await screen.findByText('This document was deleted, or is no longer shared with you.'),
    ).toBeTruthy()
    expect(screen.queryByText('Open at the exact place')).toBeNull()
    expect(document.body.textContent).not.toContain('4,200 euros')
    expect(view.hrefNow()).toBe('/chat/session-1')
    expect(view.sent.map(({ method, path }) => `${method} ${path}`)).toContain(chunkCall(one))
  })
})

describe('describes the place of a passage', () => {
  it.each([
    ['page', aPassage(), 'p. 4', 'page 4'],
    ['slide', aPassage({ document_name: 'Board.pptx' }), 'slide 4', 'slide 4'],
    [
      'cells',
      aPassage({ page_number: null, place: { sheet: 'March', range: 'C41:F41' } }),
      'March, cells C41:F41',
      'March, cells C41:F41',
    ],
    ['sheet', aPassage({ page_number: null, place: { sheet: 'March' } }), 'sheet March', 'sheet March'],
    [
      'seconds',
      aPassage({ page_number: null, place: { start: 1328.4, end: 3751 } }),
      '22:08 to 1:02:31',
      '22:08 to 1:02:31',
    ],
    ['second', aPassage({ page_number: null, place: { start: 8 } }), 'at 0:08', 'at 0:08'],
    ['nothing', aPassage({ page_number: null, place: {} }), '', ''],
  ])('%s', async (_, passage, short, long) => {
    await renderPage(<p />)
    const { default: i18next } = await import('i18next')
    await i18next.loadNamespaces('streaming_blocks')
    const t = i18next.getFixedT('en', 'streaming_blocks')
    expect([placeWords(t, passage), placeWords(t, passage, 'long')]).toEqual([short, long])
  })
})

describe('sources below an answer', () => {
  it('list the documents with their places, cited ones first', async () => {
    const lease = aPassage()
    const other = aPassage({
      document_name: 'Rents.xlsx',
      page_number: null,
      place: { sheet: 'March', range: 'B2' },
    })
    const sources = [source(1, lease), source(2, other), source(3, { ...lease, page_number: 9 })]
    await draw({ text: `So ${tag(2)} and ${tag(3)}.`, sources })
    const list = within(await screen.findByRole('region', { name: /^Sources/ }))
    const items = await list.findAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'XLSRents.xlsx2March, cells B2',
      'PDFLease.pdf3p. 91p. 4',
    ])
    expect(list.getByText('3 passages from 2 documents')).toBeTruthy()
  })

  it('show at most ten places per document, and the number of others [DS-09]', async () => {
    const document_id = crypto.randomUUID()
    const sources = Array.from(
      { length: 12 },
      (_, at): Source => ({
        ...{ id: crypto.randomUUID(), title: null, url: null, number: at + 1 },
        passage: aPassage({ document_id, page_number: at + 1 }),
      }),
    )
    await draw({ text: 'So.', sources })
    const list = within(await screen.findByRole('list'))
    expect(await list.findAllByRole('link')).toHaveLength(10)
    expect(list.getByText('2 more')).toBeTruthy()
    leavePage()
    const passages = sources.map(({ passage }, at) => ({
      ...{ ...passage!, chunk_id: crypto.randomUUID(), rank: at + 1, used_in_response: false },
    }))
    await renderPage(<PassageCarousel passages={passages as FoundPassage[]} answer="So." />)
    expect(screen.getAllByRole('link')).toHaveLength(10)
  })

  it('keep the order of first citations', () => {
    const [a, b] = [aPassage(), aPassage()]
    const listed = [
      { chunkId: '1', number: 1, passage: a, isCited: false },
      { chunkId: '2', number: 3, passage: b, isCited: true },
      { chunkId: '3', number: 2, passage: b, isCited: true },
    ]
    expect(groupDocuments(listed).map((group) => group.map(({ number }) => number))).toEqual([[2, 3], [1]])
  })
})

describe('unsupported sentence', () => {
  const text = `The rent is 4,200 ${tag(1)}. It was 3,900 before ${tag(1)}. Nobody paid.`
  const doubt = (kind: string, sentence: string, numbers: string[] = []) => ({
    ...{ kind, at: text.indexOf(sentence), length: sentence.length, numbers },
  })

  it('is marked and explained [CX-04, CX-09]', async () => {
    const second = `It was 3,900 before ${tag(1)}.`
    const one = source(1)
    const view = await draw({
      text,
      sources: [one],
      answers: knows(one),
      doubts: [doubt('numbers', second, ['3,900']), doubt('uncited', 'Nobody paid.')],
    })
    const marked = [...view.container.querySelectorAll('.doubt')].map(({ textContent }) => textContent)
    expect(marked.join('')).toBe('It was 3,900 before\u00a0[1].Nobody paid.')
    const [numbers, uncited] = screen.getAllByRole('button', { name: /^(check|no source)$/ })
    await user.click(numbers!)
    expect(await screen.findByText('This number does not stand in the cited passage: 3,900')).toBeTruthy()
    await user.click(uncited!)
    expect(await screen.findByText('This sentence names no source')).toBeTruthy()
    expect(screen.queryByText(/^This number/)).toBeNull()
  })

  it('leaves all other sentences unchanged', async () => {
    const view = await draw({ text, sources: [source(1)] })
    expect(view.container.querySelector('.doubt')).toBeNull()
  })
})
