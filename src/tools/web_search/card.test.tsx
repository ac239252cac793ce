import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UnreadReason, type WebAnswer, type WebSource } from '#shared/knowledge/web-search/web-search.ts'
import { websourceTag } from '#shared/platform/citations/citation-tags.ts'
import type { ToolEvent } from '#shared/runs/runs/blocks.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import type { CardBodyProps } from '../../web/platform/ui/card-parts.ts'
import card from './card.tsx'

const user = userEvent.setup()
afterEach(() => {
  leavePage()
  vi.unstubAllGlobals()
})

const source = (name: string, patch: Partial<WebSource> = {}): WebSource => ({
  ...{ url: `https://www.${name}.example/a`, title: `Page of ${name}`, snippet: 'The index rose by 3.1 %.' },
  ...{ engine: 'brave', rank: 1, used_in_response: false, is_read: true, published: '2026-10-02', ...patch },
})
const tag = ({ url, title }: WebSource, number: number) => websourceTag(url, title, number)
const update = (phase: string, status: string, data?: Record<string, unknown>): ToolEvent => ({
  ...{ type: 'phase_update', phase, status },
  ...(data && { data }),
})
const says = (content: string): ToolEvent => ({ type: 'partial', data: { content } })
const cited = source('insee', { rank: 2, used_in_response: true })
const other = source('blog', { is_read: false })
const answer = (patch: Partial<WebAnswer> = {}): WebAnswer => ({
  ...{ query: 'Index?', time_range: null, response: `It rose ${tag(cited, 1)}.`, is_answered: true },
  ...{ sources: [other, cited], doubts: [], engine: 'brave', failures: [], ...patch },
})
const draw = (props: Partial<CardBodyProps>, language = 'en') =>
  renderPage(<card.Body status="done" input={{ query: 'Index?' }} result={null} events={[]} {...props} />, {
    path: '/chat/session-1',
    language,
  })
const phases = () =>
  within(screen.getByRole('list', { name: 'Progress' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('web search card', () => {
  it('names the engine that answered [XB-01]', async () => {
    await draw({ result: answer({ engine: 'wikipedia' }) })
    expect(screen.getByText('Found by Wikipedia.')).toBeTruthy()
  })

  it("explains in the reader's language why a page was not read [XB-04]", async () => {
    const sources = UnreadReason.options.map((unread, at) =>
      source(unread.replace('_', '-'), { rank: at + 1, is_read: false, unread }),
    )
    const view = await draw({ result: answer({ sources: [cited, ...sources] }) })
    const tiles = () =>
      screen.getAllByRole('listitem').map(({ textContent }) => textContent?.split('not read: ')[1])
    await screen.findByText('not read: it refuses')
    const said = tiles().filter(Boolean)
    expect(said).toHaveLength(sources.length)
    expect(new Set(said).size).toBe(sources.length)
    view.unmount()
    await draw({ result: answer({ sources }) }, 'fr')
    expect(await screen.findByText('non lue : accès refusé')).toBeTruthy()
  })

  it('shows its phases as they are reported, with their counts [WE-10]', async () => {
    await draw({ status: 'running', events: [update('WEB_SEARCH', 'started')] })
    expect(phases()).toEqual([
      'Web searchunder way',
      'Reading pageswaiting',
      'Rankingwaiting',
      'Writingwaiting',
    ])
    leavePage()
    const events = [
      update('WEB_SEARCH', 'completed', { engine: 'brave', failures: [], found: 18 }),
      update('SCRAPING_URLS', 'started', { read: 3, of: 8 }),
    ]
    const view = await draw({ status: 'running', events })
    expect(phases()).toEqual([
      ...['Web search18 founddone', 'Reading pages3 of 8under way', 'Rankingwaiting', 'Writingwaiting'],
    ])
    expect(screen.getByText('Found by Brave.')).toBeTruthy()
    view.unmount()
    await draw({ status: 'running', events: [...events, says('It')] })
    expect(phases().map((text) => text?.match(/(waiting|under way|done)$/)?.[0])).toEqual([
      ...['done', 'done', 'done', 'under way'],
    ])
  })

  it('shows a placeholder for a number whose page is not known yet, and explains it [WE-06]', async () => {
    const growing = [says(`It rose ${tag(cited, 1)} and ${tag(other, 2)}`)]
    const view = await draw({ status: 'running', events: growing })
    const waiting = await screen.findByRole('link', { name: '1: Source not yet loaded' })
    expect([waiting.getAttribute('aria-disabled'), waiting.title]).toEqual(['true', 'Source not yet loaded'])
    view.unmount()
    await draw({
      status: 'running',
      events: [update('RERANKING', 'completed', { sources: [cited] }), ...growing],
    })
    expect(await screen.findByTitle('Loading source...')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Source 1: Page of insee' })).toBeTruthy()
  })

  it('opens the page of a number in a new tab, and shows it first on touch [WE-03]', async () => {
    await draw({ result: answer() })
    const number = await screen.findByRole('link', { name: 'Source 1: Page of insee' })
    expect([number.getAttribute('href'), number.getAttribute('target'), number.getAttribute('rel')]).toEqual([
      ...[cited.url, '_blank', 'noopener noreferrer'],
    ])
    fireEvent.pointerOver(number, { pointerType: 'mouse' })
    const shown = within(await screen.findByRole('dialog', { hidden: true }))
    expect(shown.getByText('“The index rose by 3.1 %.”')).toBeTruthy()
    expect(shown.getByText('insee.example')).toBeTruthy()
    fireEvent.pointerOut(number, { pointerType: 'mouse', relatedTarget: document.body })
    await vi.waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull())
    await user.pointer({ keys: '[TouchA]', target: number })
    expect(
      within(await screen.findByRole('dialog', { hidden: true })).getByText('Open the page'),
    ).toBeTruthy()
  })

  it('shows no number for a page that was not read', async () => {
    const evil = websourceTag('https://evil.example/', 'Win', 2)
    const view = await draw({ result: answer({ response: `It rose ${tag(cited, 1)}${evil}.` }) })
    await screen.findByRole('link', { name: 'Source 1: Page of insee' })
    expect(view.container.innerHTML).not.toContain('evil')
  })

  it('scrolls its sources by 80 % of the visible part, with arrows if more than 10 px are hidden [WE-04]', async () => {
    vi.stubGlobal(
      'ResizeObserver',
      class {
        private readonly look: () => void
        constructor(look: () => void) {
          this.look = look
        }
        observe = () => this.look()
        disconnect = () => undefined
      },
    )
    const size = { clientWidth: 500, scrollWidth: 511 }
    for (const [name, value] of Object.entries(size))
      vi.spyOn(HTMLElement.prototype, name as 'clientWidth', 'get').mockImplementation(() => value)
    const moved = vi.fn()
    Element.prototype.scrollBy = moved
    const view = await draw({ result: answer() })
    const on = await screen.findByRole('button', { name: 'Scroll on' })
    expect(on.hasAttribute('disabled') || on.getAttribute('aria-disabled') === 'true').toBe(false)
    await user.click(on)
    expect(moved).toHaveBeenCalledWith({ left: 400, behavior: 'smooth' })
    view.unmount()
    vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(() => 510)
    await draw({ result: answer() })
    const off = await screen.findByRole('button', { name: 'Scroll on' })
    expect(off.hasAttribute('disabled') || off.getAttribute('aria-disabled') === 'true').toBe(true)
    vi.restoreAllMocks()
  })

  it('shows cited pages first, with their numbers, and marks those whose page was not read', async () => {
    await draw({ result: answer() })
    const region = within(await screen.findByRole('group', { name: 'Sources' }))
    expect(region.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      ...['Iinsee.exampleSource 1Page of insee2026-10-02', 'Bblog.examplePage of blognot read'],
    ])
    expect(region.getByText('1 of 2 cited')).toBeTruthy()
  })

  it('shows its period as a pill [WE-05]', async () => {
    await draw({ result: answer({ time_range: 'year' }) })
    expect(await screen.findByText('Past 12 months')).toBeTruthy()
  })

  it('names the engine that answered and those that failed', async () => {
    await draw(
      { result: answer({ engine: 'wikipedia', failures: [{ engine: 'brave', reason: 'refused' }] }) },
      'fr',
    )
    expect(await screen.findByText(/Moteur : Wikipédia\. Brave a refusé : sa clé/)).toBeTruthy()
  })

  it('says that no page contains it', async () => {
    await draw({ result: answer({ is_answered: false, response: 'The pages do not say.' }) })
    expect(await screen.findByText('Not on the pages that were read.')).toBeTruthy()
  })

  it('is previewed by its question, and its error says what to do without any engine [WE-01, WE-02]', async () => {
    expect(card.summarise({ query: 'Index?', time_range: 'day' })).toBe('Index?')
    const t = ((key: string) => key) as never
    expect(card.explain?.('No search engine answered: Wikipedia failed.', {}, t)).toBe('web_search.no_engine')
    expect(card.explain?.('Something else', {}, t)).toBeNull()
  })
})
