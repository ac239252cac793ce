import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  BLOCK_ROWS,
  type BlockCell,
  type SheetBlock,
  type SheetEntry,
} from '#shared/knowledge/documents/kept-files.ts'
import { aChunk } from '#tests/web/chunk-builder.ts'
import { aDocument } from '#tests/web/document-builder.ts'
import { prepareBrowser } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { ROW } from './measures.ts'
import SheetView from './view.tsx'

const user = userEvent.setup()
beforeEach(() => {
  prepareBrowser()
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1000)
  Element.prototype.scrollTo = function (this: Element, to?: ScrollToOptions | number) {
    if (typeof to !== 'object') return
    this.scrollTop = to.top ?? this.scrollTop
    this.scrollLeft = to.left ?? this.scrollLeft
    // Browsers fire the scroll event asynchronously.
    setTimeout(() => fireEvent.scroll(this))
  } as typeof Element.prototype.scrollTo
})
afterEach(() => {
  vi.restoreAllMocks()
  leavePage()
})

const entry = (given: Partial<SheetEntry> = {}): SheetEntry => ({
  ...{ name: 'Lots', hidden: false, rows: 3, columns: 4, widths: [], merges: [] },
  ...{ frozen: { rows: 0, columns: 0 }, blocks: 1, notation: 'en' },
  ...given,
})

/** Returns the cells of a row by its number. */
type Rows = (row: number) => BlockCell[]

async function open(sheets: { entry: SheetEntry; rows: Rows }[], { place = {}, language = 'en' } = {}) {
  const document = aDocument({ name: 'Book.xlsx' })
  const files = `GET /documents/${document.id}/files`
  const answers: Answers = {
    [`${files}/sheets.json`]: () => ({ sheets: sheets.map(({ entry: one }) => one) }),
  }
  for (const [at, { entry: one, rows }] of sheets.entries())
    for (let block = 0; block < one.blocks; block += 1)
      answers[`${files}/sheet-${at}-rows-${block}.json`] = (): SheetBlock => {
        const first = block * BLOCK_ROWS
        const count = Math.min(BLOCK_ROWS, one.rows - first)
        return { first, rows: Array.from({ length: count }, (_, row) => rows(first + row)) }
      }
  const chunk = Object.keys(place).length > 0 ? aChunk({ place }) : null
  const linkTo = () => ({ href: '#', onClick: () => undefined })
  const view = <SheetView document={document} chunk={chunk} linkTo={linkTo} />
  const page = await renderPage(view, { answers, language })
  const grid = await screen.findByRole('grid')
  return { ...page, grid }
}

const typed: BlockCell[][] = [
  [
    { c: 0, v: 'Lot', t: 's' },
    { c: 1, v: '1,234.50 €', t: 'n', f: 'B2*2' },
    { c: 2, v: '2024-03-01', t: 'd' },
    { c: 3, v: 'TRUE', t: 'b' },
  ],
  [{ c: 0, v: '#REF!', t: 'e' }],
  [{ c: 0, v: 'a\tb', t: 's' }],
]
const small = { entry: entry(), rows: (row: number) => typed[row] ?? [] }
const large = {
  entry: entry({ rows: 100_000, blocks: 200, frozen: { rows: 1, columns: 1 } }),
  rows: (row: number): BlockCell[] => [0, 1, 2, 3].map((c) => ({ c, v: `r${row} c${c}`, t: 's' })),
}
const cell = async (text: string) => {
  const found = await screen.findByText(text, { selector: '[role="gridcell"]' })
  return found as HTMLElement
}
const range = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Selected cells' })
const press = (grid: HTMLElement, key: string, keys = {}) => fireEvent.keyDown(grid, { key, ...keys })

describe('sheet viewer', () => {
  it('shows a grid with kinds, merged cells and frozen heads, and selects and shows the cited cells [IN-12]', async () => {
    const merged = { ...large, entry: { ...large.entry, merges: ['B5:C6'] } }
    const { grid } = await open([merged], { place: { sheet: 'Lots', range: 'C70001:D70003' } })
    expect(await cell('r70000 c2')).toBeTruthy()
    expect(range().value).toBe('C70001:D70003')
    expect(grid.scrollTop).toBeGreaterThan(69_000 * ROW)
    expect(within(grid).getAllByText('Source')).toHaveLength(1)
    const marked = grid.querySelectorAll('.sheet-mark[data-kind="cited"]')
    expect([...marked].map((mark) => mark.closest('[role="row"]')?.getAttribute('aria-rowindex'))).toEqual([
      '70002',
      '70003',
      '70004',
    ])
    // The frozen row and column stay visible.
    expect(await cell('r0 c1')).toBeTruthy()
    expect((await cell('r70000 c0')).closest('.sheet-side')).toBeTruthy()
    press(grid, 'Home', { ctrlKey: true })
    const over = await cell('r4 c1')
    expect([over.getAttribute('aria-colspan'), over.getAttribute('aria-rowspan')]).toEqual(['2', '2'])
    expect(over.style.height).toBe(`${2 * ROW - 1}px`)
    expect(screen.queryByText('r5 c1')).toBeNull()
    leavePage()
    await open([small])
    const kinds = await Promise.all(['Lot', '1,234.50 €', '01/03/2024', 'TRUE', '#REF!'].map(cell))
    expect(kinds.map(({ dataset }) => dataset.kind)).toEqual(['s', 'n', 'd', 'b', 'e'])
  })

  it('localises numbers and dates, but keeps text in the file’s own notation', async () => {
    await open([small], { language: 'fr' })
    expect((await cell('01/03/2024')).dataset.kind).toBe('d')
    expect(screen.getByText(/^1\s234,50 €$/)).toBeTruthy()
    expect(screen.getByText('VRAI')).toBeTruthy()
    leavePage()
    await open([{ ...small, entry: entry({ notation: 'own' }) }], { language: 'fr' })
    expect(await cell('1,234.50 €')).toBeTruthy()
  })

  it('shows the formula of a cell with its result', async () => {
    const { grid } = await open([small])
    press(grid, 'ArrowRight')
    expect(screen.getByRole('status', { name: 'Content of the cell' }).textContent).toBe('=B2*2')
    expect(screen.getByText('Result').textContent).toBe('Result 1,234.50 €')
  })

  it('renders at most 3,000 nodes for 100,000 rows and loads only visible rows', async () => {
    const { grid, sent } = await open([large])
    await cell('r0 c0')
    expect(grid.querySelectorAll('*').length).toBeLessThan(3000)
    expect(sent.filter(({ path }) => path.includes('-rows-')).length).toBeLessThanOrEqual(2)
    act(() => grid.scrollTo({ top: 50_000 * ROW }))
    expect(await cell('r50003 c1')).toBeTruthy()
    expect(grid.querySelectorAll('*').length).toBeLessThan(3000)
    expect(sent.filter(({ path }) => path.includes('-rows-')).length).toBeLessThanOrEqual(4)
  })

  it('supports keyboard navigation', async () => {
    const { grid } = await open([large])
    await cell('r0 c0')
    const leads: [string, object, string][] = [
      ['ArrowDown', {}, 'A2'],
      ['ArrowRight', {}, 'B2'],
      ['PageDown', {}, 'B20'],
      ['PageUp', {}, 'B2'],
      ['End', {}, 'D2'],
      ['Home', {}, 'A2'],
      ['End', { ctrlKey: true }, 'D100000'],
      ['ArrowUp', { ctrlKey: true }, 'D1'],
      ['ArrowDown', { shiftKey: true }, 'D1:D2'],
      ['ArrowLeft', { shiftKey: true }, 'C1:D2'],
      ['ArrowLeft', {}, 'C1'],
      ['a', { ctrlKey: true }, 'A1:D100000'],
    ]
    for (const [key, keys, place] of leads) {
      press(grid, key, keys)
      expect(range().value, key).toBe(place)
    }
  })

  it('selects a range entered above it', async () => {
    const { grid } = await open([large])
    await user.clear(range())
    await user.type(range(), 'b90000:c90001{Enter}')
    expect(await cell('r89999 c1')).toBeTruthy()
    expect(range().value).toBe('B90000:C90001')
    expect(grid.scrollTop).toBeGreaterThan(80_000 * ROW)
  })

  it('copies the selection as a table, including rows outside the view', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const { grid } = await open([small])
    press(grid, 'a', { ctrlKey: true })
    press(grid, 'c', { ctrlKey: true })
    await waitFor(() =>
      expect(navigator.clipboard.writeText).toHaveBeenCalledWith(
        'Lot\t1,234.50 €\t01/03/2024\tTRUE\n#REF!\t\t\t\n"a\tb"\t\t\t',
      ),
    )
    leavePage()
    const { grid: other } = await open([{ ...large, entry: { ...large.entry, rows: 1500, blocks: 3 } }])
    press(other, 'a', { ctrlKey: true })
    press(other, 'c', { ctrlKey: true })
    await waitFor(() => expect(navigator.clipboard.writeText).toHaveBeenCalledTimes(2))
    const text = String(vi.mocked(navigator.clipboard.writeText).mock.lastCall?.[0])
    expect(text.split('\n')).toHaveLength(1500)
    expect(text.endsWith('r1499 c0\tr1499 c1\tr1499 c2\tr1499 c3')).toBe(true)
  })

  it('shows a tab for each sheet and labels hidden ones', async () => {
    const secret = {
      entry: entry({ name: 'Secret', hidden: true }),
      rows: (row: number) => (row === 0 ? [{ c: 0, v: 'x', t: 's' as const }] : []),
    }
    await open([secret, small])
    const tabs = screen.getAllByRole('tab')
    expect(tabs.map(({ textContent }) => textContent)).toEqual(['Secrethidden', 'Lots'])
    expect(tabs[1]?.getAttribute('aria-selected')).toBe('true')
    await user.click(screen.getByRole('tab', { name: /Secret/ }))
    expect(await cell('x')).toBeTruthy()
  })

  it('opens the sheet of a passage', async () => {
    const other = { entry: entry({ name: 'Other' }), rows: () => [{ c: 0, v: 'other', t: 's' as const }] }
    await open([small, other], { place: { sheet: 'Other', range: 'A1:A2' } })
    expect(screen.getByRole('tab', { name: 'Other' }).getAttribute('aria-selected')).toBe('true')
    expect(range().value).toBe('A1:A2')
  })

  it('resizes columns by dragging and by keyboard', async () => {
    const { grid } = await open([small])
    const head = () => screen.getByRole('columnheader', { name: 'A' })
    const before = Number.parseInt(head().style.width, 10)
    press(grid, 'ArrowRight', { altKey: true, shiftKey: true })
    expect(head().style.width).toBe(`${before + 16}px`)
    const grip = head().querySelector('.sheet-grip')!
    Object.assign(grip, { setPointerCapture: () => undefined })
    fireEvent.pointerDown(grip, { clientX: 100, pointerId: 1 })
    fireEvent.pointerMove(grip, { clientX: 150, pointerId: 1 })
    fireEvent.pointerUp(grip)
    expect(head().style.width).toBe(`${before + 66}px`)
  })

  it('reports rows that failed to load and retries them', async () => {
    const document = aDocument()
    const files = `GET /documents/${document.id}/files`
    let isDown = true
    const answers: Answers = {
      [`${files}/sheets.json`]: () => ({ sheets: [small.entry] }),
      [`${files}/sheet-0-rows-0.json`]: () => (isDown ? [500, {}] : { first: 0, rows: typed }),
    }
    const linkTo = () => ({ href: '#', onClick: () => undefined })
    await renderPage(<SheetView document={document} chunk={null} linkTo={linkTo} />, { answers })
    const again = await screen.findByRole('button', { name: 'Try again' })
    isDown = false
    await user.click(again)
    expect(await cell('Lot')).toBeTruthy()
  })
})
