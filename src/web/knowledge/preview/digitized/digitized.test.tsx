import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aChunk } from '#tests/web/chunk-builder.ts'
import { aDocument } from '#tests/web/document-builder.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { Digitized } from '../digitized.tsx'
import { findPassage } from './passage.ts'
import { splitPieces } from './pieces.ts'

let media: string[] = []
beforeEach(() => {
  media = ['(min-width: 1024px)']
  Element.prototype.scrollTo = () => {}
  window.matchMedia = ((query: string) => ({
    ...{ matches: media.includes(query), addEventListener() {}, removeEventListener() {} },
  })) as never
})
afterEach(() => {
  vi.restoreAllMocks()
  leavePage()
})

const minutes = [
  ...['# Minutes', 'Those present.', '## Budget', '### Frame', 'Numbers.', '## Contracts'],
  ...['| Name | Price |\n|---|---|\n| Kessler | 12 |', '```python\nprint(1)\n```', 'Dates', '---'],
  ...['##### Deep', '###### Deepest', '#### Last'],
].join('\n\n')

async function show(markdown: string, { mode = 'digitized' as 'digitized' | 'text', ...given } = {}) {
  const document = aDocument()
  const { chunk = null } = given as { chunk?: Parameters<typeof Digitized>[0]['chunk'] }
  return renderPage(<Digitized document={document} mode={mode} chunk={chunk} />, {
    answers: {
      [`GET /documents/${document.id}/files/digitized.md`]: () => new Response(markdown),
      [`GET /documents/${document.id}/files/text.md`]: () => new Response('Only the text.'),
    },
  })
}

describe('digitized view', () => {
  it('has an outline of all six levels that collapses, follows the scroll position and links sections [MD-01]', async () => {
    await show(minutes)
    const contents = within(await screen.findByRole('navigation', { name: 'Contents' }))
    const names = () => contents.getAllByRole('button').flatMap(({ textContent }) => textContent || [])
    const all = ['Minutes', 'Budget', 'Frame', 'Contracts', 'Deep', 'Deepest', 'Last']
    expect(names()).toEqual(all)
    await userEvent.click(contents.getByRole('button', { name: 'Sections below Budget' }))
    expect(names()).toEqual(all.filter((name) => name !== 'Frame'))
    await userEvent.click(contents.getByRole('button', { name: 'Unfold all' }))
    expect(names()).toEqual(all)

    const text = screen.getByRole('region', { name: 'Text of the document' })
    const headings = [...text.querySelectorAll<HTMLElement>('[data-level]')]
    expect(headings.map(({ dataset }) => dataset.level)).toEqual(['1', '2', '3', '2', '5', '6', '4'])
    for (const [at, heading] of headings.entries())
      heading.getBoundingClientRect = () => ({ top: 500 * at - text.scrollTop }) as DOMRect
    const scrollTo = vi.fn()
    text.scrollTo = scrollTo
    await userEvent.click(contents.getByRole('button', { name: 'Contracts' }))
    await waitFor(() => expect(scrollTo).toHaveBeenCalledWith({ top: 1500 - 80, behavior: 'smooth' }))
    text.scrollTop = 1500 - 80
    fireEvent.scroll(text)
    await waitFor(() =>
      expect(contents.getByRole('button', { current: 'location' }).textContent).toBe('Contracts'),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Contents', expanded: true }))
    expect(screen.queryByRole('navigation', { name: 'Contents' })).toBeNull()
  })

  it('copies and expands tables and code [MD-02]', async () => {
    await show(minutes)
    expect(await screen.findByRole('table')).toBeTruthy()
    for (const name of ['Copy table', 'Copy code']) expect(screen.getByRole('button', { name })).toBeTruthy()
    await userEvent.click(await screen.findByRole('button', { name: 'Expand table' }))
    expect(within(await screen.findByRole('dialog')).getByText('Kessler')).toBeTruthy()
  })

  it('shows the full text, or only plain text [MD-03]', async () => {
    await show(minutes)
    expect(await screen.findByRole('heading', { name: 'Budget' })).toBeTruthy()
    leavePage()
    await show(minutes, { mode: 'text' })
    expect(await screen.findByText('Only the text.')).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Budget' })).toBeNull()
  })

  it.each([
    ['a paragraph', 'Numbers.', 'Numbers.', ['p']],
    ['a table', '| Name', '| 12 |', ['figure']],
    ['code', '```python', '1)\n```', ['figure']],
    ['a title and what follows', '## Budget', 'Numbers.', ['h4', 'h5', 'p']],
  ])('marks a passage that is %s', async (_, from, to, tags) => {
    const span: [number, number] = [minutes.indexOf(from), minutes.indexOf(to) + to.length]
    const text = minutes.slice(...span)
    await show(minutes, { chunk: aChunk({ text, place: { span } }) } as never)
    const label = await screen.findByText('Selected passage')
    const marked = [...label.parentElement!.children].slice(1).map(({ tagName }) => tagName.toLowerCase())
    expect(marked).toEqual(tags)
  })

  it('marks only list items in the passage, and keeps their numbers', async () => {
    const list = '1. one\n2. two\n    - inner\n3. three\n4. four'
    const span: [number, number] = [list.indexOf('inner'), list.indexOf('three') + 5]
    await show(list, { chunk: aChunk({ text: 'inner\nthree', place: { span } }) } as never)
    const marked = (await screen.findByText('Selected passage')).parentElement!
    expect([...marked.querySelectorAll('ol > li')].map((item) => item.textContent)).toEqual([
      'twoinner',
      'three',
    ])
    const starts = [...document.querySelectorAll('ol')].map((one) => one.start)
    expect(starts).toEqual([1, 2, 4])
  })
})

describe('passage', () => {
  it('is at its recorded place, or where its words are if the text differs', () => {
    const text = 'Alpha beta.\n\n**Gamma** delta, `epsilon`.'
    const found = (span: [number, number] | undefined, words: string) =>
      findPassage(text, { place: span ? { span } : {}, text: words })
    expect(found([13, 39], 'Gamma delta, epsilon.')).toEqual([13, 39])
    expect(found([0, 11], 'Gamma delta, epsilon.')).toEqual([15, 38])
    expect(found(undefined, 'beta Gamma')).toEqual([6, 20])
    expect(found([0, 5], 'Omega')).toBeNull()
  })
})

describe('long document', () => {
  const joined = (source: string) =>
    splitPieces(source)
      .pieces.map(({ text }) => text)
      .join('')

  it('is split between its blocks without loss', () => {
    const source = Array.from(
      { length: 3000 },
      (_, n) => `## Part ${n}\n\nSome words of part ${n}.\n\n`,
    ).join('')
    const { pieces, headings } = splitPieces(source)
    expect(joined(source)).toBe(source)
    expect(pieces.length).toBeGreaterThan(10)
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThan(7000)
    expect(headings).toHaveLength(3000)
    for (const { text, piece, nth } of headings.slice(0, 500))
      expect(pieces[piece]!.text.match(/## Part \d+/g)?.[nth]).toBe(`## ${text}`)
  })

  it('is never split in code; a long table continues with its header', () => {
    const code = `\`\`\`\n${'# no title\n\n'.repeat(2000)}\`\`\`\n`
    expect(splitPieces(code).pieces).toHaveLength(1)
    expect(splitPieces(code).headings).toEqual([])
    const head = '| a | b |\n|---|---|\n'
    const table = head + Array.from({ length: 350 }, (_, n) => `| ${n} | x |\n`).join('')
    const { pieces } = splitPieces(table)
    expect(joined(table)).toBe(table)
    expect(pieces.map(({ prefix }) => prefix)).toEqual(['', head, head, head])
    expect(pieces.map(({ text }) => text.match(/\| x/g)?.length)).toEqual([100, 100, 100, 50])
  })

  it('finds setext headings, and those without markers', () => {
    const { headings } = splitPieces(
      'Title\n=====\n\nPart\n---\n\n---\n\n- item\n---\n\n## **Bold** [link](x) \\# `c` ##\n',
    )
    expect(headings.map(({ level, text }) => [level, text])).toEqual([
      [1, 'Title'],
      [2, 'Part'],
      [2, 'Bold link # c'],
    ])
  })
})
