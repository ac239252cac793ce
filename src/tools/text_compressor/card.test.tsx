import { act, fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CompressedText } from '#shared/knowledge/corpus/corpus.ts'
import { citationTag } from '#shared/platform/citations/citation-tags.ts'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import type { CardBodyProps } from '../../web/platform/ui/card-parts.ts'
import card from './card.tsx'
import { overallProgress, readCompression, waveProgress } from './read-compression.ts'
import { easeOnce } from './use-eased.ts'

afterEach(() => {
  vi.useRealTimers()
  leavePage()
})

const update = (phase: string, status: string, data?: Record<string, unknown>): ToolEvent => ({
  ...{ type: 'phase_update', phase, status },
  ...(data && { data }),
})
const says = (content: string): ToolEvent => ({ type: 'tool_partial_update', data: { content } })
const [lease, menu, chunk] = Array.from({ length: 3 }, () => crypto.randomUUID()) as [string, string, string]
const sources = [
  { id: lease, name: 'lease.pdf' },
  { id: menu, name: 'menu.txt' },
]
const began = update('ANALYSIS_PREP', 'started')
const prepared = update('ANALYSIS_PREP', 'completed', {
  ...{ total_documents: 2, chunk_size: 6_000, overlap: 0, total_chunks: 96, sources },
  cost: { tokens: 90_000, dollars: 0.3 },
})
const wave = (number: number, items_in_wave: number) =>
  update('RECURSIVE_SUMMARIZATION', 'wave_started', { wave: number, items_in_wave })
const progress = (number: number, total_items_in_wave: number, processed_count: number) =>
  update('REDUCTION_WAVE_PROGRESS', 'in_progress', { wave: number, total_items_in_wave, processed_count })
const waved = (number: number, produced_summaries: number) =>
  update('REDUCTION_WAVE', 'wave_completed', { wave: number, produced_summaries })
const reduced = update('RECURSIVE_SUMMARIZATION', 'completed')
const final = update('FINAL_GENERATION', 'started')
const written = (response: string) => update('FINAL_GENERATION', 'completed', { response })

const result: CompressedText = {
  response: `Three months of notice ${citationTag(chunk, 1)}.`,
  sources: [
    { id: menu, name: 'menu.txt', used_in_response: true, rank: 1 },
    { id: lease, name: 'lease.pdf', used_in_response: false, rank: null },
  ],
  passages: [
    {
      ...{ chunk_id: chunk, document_id: menu, document_name: 'menu.txt', heading_path: [] },
      ...{ page_number: 2, place: { page: 2 }, rank: 1, used_in_response: true },
    },
  ],
  ...{ doubts: [], coverage: { read: 96, total: 96 } },
}
const input = { intent: 'Every notice period', document_ids: [lease, menu] }
const named = Object.fromEntries(
  sources.map(({ id, name }) => [`GET /documents/${id}`, () => ({ id, name })]),
)
/** Draws the card of a call in progress; `change` updates its props. */
let change: (props: Partial<CardBodyProps>) => void
function Going(first: CardBodyProps) {
  const [props, setProps] = useState(first)
  change = (more) => act(() => setProps((now) => ({ ...now, ...more })))
  return <card.Body {...props} />
}
const draw = (props: Partial<CardBodyProps>, language = 'en') =>
  renderPage(<Going status="done" input={input} result={null} events={[]} {...props} />, {
    ...{ path: '/chat/session-1', language },
    answers: { 'GET /tools/': () => [], ...named },
  })
const share = (...events: ToolEvent[]) => overallProgress(readCompression(events, null))

describe('progress of a call', () => {
  it('is read from its events [TC-06, TC-07, TC-08]', () => {
    const at = (...events: ToolEvent[]) => readCompression(events, null)
    expect(at(began, prepared).prep).toEqual({
      ...{ documents: 2, passages: 96, size: 6_000, overlap: 0, dollars: 0.3 },
    })
    expect(at(prepared, wave(1, 22)).waves).toEqual([{ processed: 0, total: 22 }])
    expect(at(prepared, wave(1, 22), progress(1, 22, 14)).waves).toEqual([{ processed: 14, total: 22 }])
    expect(at(wave(1, 22), progress(1, 22, 14), progress(1, 22, 13)).waves[0]?.processed).toBe(14)
    expect(at(wave(1, 22), waved(1, 22), wave(2, 3)).waves).toEqual([
      { processed: 22, total: 22 },
      { processed: 0, total: 3 },
    ])
    expect(at(final, says('Three '), says('months.')).response).toBe('Three months.')
    expect(at(final, says('Thr'), final, says('Three')).response).toBe('Three')
    const whole = at(final, says('Thr'), written('Three months.'))
    expect([whole.response, whole.badges.final]).toEqual(['Three months.', 'done'])
  })

  it('has an overall percentage [TC-09]', () => {
    expect(share()).toBe(0)
    expect(share(began)).toBe(0.125)
    expect(share(began, prepared)).toBe(0.25)
    expect(share(began, prepared, wave(1, 4), progress(1, 4, 2))).toBe(0.25 + 0.5 * 0.25)
    expect(share(began, prepared, wave(1, 4), waved(1, 4), reduced)).toBe(0.75)
    expect(share(began, prepared, wave(1, 4), reduced, final)).toBe(0.85)
    expect(share(began, prepared, says('Three'))).toBe(0.85)
    expect(share(final, written('Three'))).toBe(1)
    const over = readCompression([began], result)
    expect([overallProgress(over), Object.values(over.badges)]).toEqual([1, ['done', 'done', 'done']])
  })

  it('weights each wave half as much as the previous one [TC-10]', () => {
    expect(waveProgress([{ processed: 1, total: 2 }])).toBe(0.25)
    expect(waveProgress([{ processed: 2, total: 2 }])).toBe(0.5)
    expect(
      waveProgress([
        { processed: 2, total: 2 },
        { processed: 1, total: 2 },
      ]),
    ).toBe(0.625)
    expect(
      waveProgress([
        { processed: 2, total: 2 },
        { processed: 2, total: 2 },
        { processed: 1, total: 1 },
      ]),
    ).toBe(0.875)
  })
})

describe('text compressor card', () => {
  const badgesShown = () =>
    within(screen.getByRole('list', { name: 'Progress' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)

  it('shows its title, a percentage, three phases, a bar with the current work, and the intent [TC-02]', async () => {
    await draw({
      status: 'running',
      events: [began, prepared, wave(1, 22), waved(1, 22), wave(2, 22), progress(2, 22, 14)],
    })
    expect(screen.getByText('58 %')).toBeTruthy()
    expect(screen.getByText('Wave 2')).toBeTruthy()
    expect(screen.getByText('14 of 22 summaries, from 96 passages')).toBeTruthy()
    expect(screen.getByRole('progressbar', { name: 'Wave 2' }).getAttribute('aria-valuenow')).toBe('58')
    expect(badgesShown()).toEqual(['Analysisdone', 'Summarizationunder way', 'Finalwaiting'])
    expect(screen.getByDisplayValue('Every notice period')).toBeTruthy()
    expect(card.summarise(input)).toBe('Every notice period')
    expect(screen.getByText(/2 documents · parts of 6,000 characters · about \$0\.30/)).toBeTruthy()
  })

  it('has an editable intent and documents before a run, and a disabled intent during and after it [TC-03]', async () => {
    const changed = vi.fn()
    const view = await draw({ status: 'input', onInput: changed })
    const field = screen.getByRole('textbox', { name: 'Intent' })
    expect(field.hasAttribute('disabled')).toBe(false)
    fireEvent.change(field, { target: { value: 'Every date' } })
    expect(changed).toHaveBeenCalledWith({ intent: 'Every date' })
    const region = await screen.findByRole('group', { name: 'Source documents' })
    expect(
      within(region)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual([...['PDFlease.pdf', 'TXTmenu.txt']])
    view.unmount()
    for (const props of [{ status: 'running' }, { status: 'done', result }] as const) {
      const { unmount } = await draw(props)
      expect(screen.getByRole('textbox', { name: 'Intent' }).hasAttribute('disabled')).toBe(true)
      unmount()
    }
  })

  it('shows its documents, the text as it arrives, and clickable numbers at the end [TC-04]', async () => {
    const view = await draw({ status: 'running', events: [prepared, final, says('Three months')] })
    expect(screen.getByText('Three months')).toBeTruthy()
    expect(await screen.findByRole('group', { name: 'Source documents' })).toBeTruthy()
    view.unmount()
    await draw({ result })
    expect((await screen.findByRole('link', { name: /Source 1/ })).getAttribute('href')).toContain(chunk)
    const links = within(await screen.findByRole('group', { name: 'Source documents' })).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual(['TXTSource 1menu.txt', 'PDFlease.pdf'])
    expect(screen.getByText('100 % read')).toBeTruthy()
    expect(screen.getByText(/96 of 96 passages/)).toBeTruthy()
  })

  it('has an empty state, and opens a document next to the chat [TC-05]', async () => {
    const Empty = card.Empty!
    const view = await renderPage(<Empty />, { path: '/chat/session-1', answers: {} })
    expect(screen.getByText('Say what is wanted, and of which documents.')).toBeTruthy()
    view.unmount()
    const shown = await draw({ status: 'input' })
    const link = await screen.findByRole('link', { name: /lease\.pdf/ })
    expect(link.getAttribute('href')).toContain(`document=${lease}`)
    fireEvent.click(link)
    await vi.waitFor(() => expect(shown.hrefNow()).toContain(`document=${lease}`))
  })

  it('omits missing documents', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await draw({ status: 'input', input: { intent: 'a', document_ids: [crypto.randomUUID(), menu] } })
    expect(await screen.findAllByRole('link')).toHaveLength(1)
    warned.mockRestore()
  })

  it('approaches its percentage by a tenth of the remainder every 40 ms [TC-11]', async () => {
    expect(easeOnce(0, 1)).toBeCloseTo(0.1)
    expect(easeOnce(0.5, 1)).toBeCloseTo(0.55)
    expect(easeOnce(0.999, 1)).toBe(1)
    await draw({ status: 'running', events: [began] })
    vi.useFakeTimers()
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('13')
    change({ events: [began, prepared, wave(1, 2), reduced] })
    const shown = () => Number(screen.getByRole('progressbar').getAttribute('aria-valuenow'))
    expect(shown()).toBe(13)
    act(() => void vi.advanceTimersByTime(39))
    expect(shown()).toBe(13)
    act(() => void vi.advanceTimersByTime(1))
    expect(shown()).toBe(Math.round(100 * (0.125 + 0.1 * 0.625)))
    act(() => void vi.advanceTimersByTime(40))
    expect(shown()).toBe(Math.round(100 * (0.125 + 0.19 * 0.625)))
    act(() => void vi.advanceTimersByTime(4_000))
    expect(shown()).toBe(75)
  })

  it('is translated into French', async () => {
    await draw({ result }, 'fr')
    expect(await screen.findByText(/96 passages sur 96/)).toBeTruthy()
  })
})
