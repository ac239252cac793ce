// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { canPreview, type LinkPreview } from '#shared/knowledge/link-previews/link-previews.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { CitedText } from '../cited-text.tsx'

beforeAll(() => {
  URL.createObjectURL = () => 'blob:picture'
})
afterEach(() => {
  vi.useRealTimers()
  leavePage()
})

const url = 'https://www.insee.example.fr/index'
const preview: LinkPreview = {
  url,
  fetched: true,
  title: 'Labour cost index',
  description: 'It rose by 3.1 %.',
  imageUrl: `/api/v1/link-previews/image?url=${encodeURIComponent(url)}`,
  favicon: '/api/v1/link-previews/favicon?domain=www.insee.example.fr&sz=64',
  cleanDomain: 'insee.example.fr',
  publisher: 'Insee',
}
const picture = () => new Response('bytes')
const answers: Answers = {
  'GET /link-previews': () => preview,
  'GET /link-previews/image': picture,
  'GET /link-previews/favicon': picture,
}

const open = (text = `See the [labour index](${url}).`, more: Answers = {}, growing = false) =>
  renderPage(<CitedText text={text} growing={growing} passages={new Map()} />, {
    answers: { ...answers, ...more },
  })
const point = () => fireEvent.pointerEnter(screen.getByRole('link').parentElement!, { pointerType: 'mouse' })

describe('link in a reply', () => {
  it("shows the page's metadata on hover [LP-01]", async () => {
    const { sent } = await open()
    expect(sent).toEqual([])
    point()
    const card = await screen.findByLabelText('Preview of insee.example.fr')
    await screen.findByText('Labour cost index')
    expect(card.textContent).toContain('It rose by 3.1 %.')
    expect(card.textContent).toContain('insee.example.frInsee')
    expect(card.querySelector('a')?.getAttribute('href')).toBe(url)
    await waitFor(() => expect(card.querySelectorAll('img')).toHaveLength(2))
    expect(sent.map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual([
      ['/link-previews', { url }],
      ['/link-previews/image', { url }],
      ['/link-previews/favicon', { domain: 'www.insee.example.fr', sz: '64' }],
    ])
    fireEvent.keyDown(screen.getAllByRole('link')[0]!, { key: 'Escape' })
    expect(screen.queryByRole('dialog', { hidden: true })).toBeNull()
  })

  it('shows the whole address, and fetches it only on a click, if only a model named it', async () => {
    const secret = `${url}?note=the+words+of+the+chat`
    const chat = '00000000-0000-4000-8000-00000000000a'
    const unasked = { ...preview, url: secret, fetched: false, title: null, imageUrl: null }
    const { sent } = await renderPage(
      <CitedText text={`See [it](${secret}).`} passages={new Map()} growing={false} />,
      {
        path: `/chat/${chat}`,
        answers: { ...answers, 'GET /link-previews': () => unasked, 'POST /link-previews': () => preview },
      },
    )
    point()
    const button = await screen.findByRole('button', { name: 'Show preview', hidden: true })
    expect(screen.getByText(secret).tagName).toBe('BDI')
    expect(sent.map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual([
      ['/link-previews', { url: secret, session_id: chat }],
    ])
    fireEvent.click(button)
    await screen.findByText('Labour cost index')
    expect(sent[1]).toMatchObject({ method: 'POST', path: '/link-previews', body: { url: secret } })
  })

  it('is not fetched before 300 ms, nor while the reply is being written', async () => {
    const { sent } = await open()
    vi.useFakeTimers()
    point()
    await act(() => vi.advanceTimersByTimeAsync(290))
    expect(screen.queryByRole('status')).toBeNull()
    fireEvent.pointerLeave(screen.getByRole('link').parentElement!, { pointerType: 'mouse' })
    await act(() => vi.advanceTimersByTimeAsync(1000))
    expect(sent).toEqual([])
    vi.useRealTimers()
    leavePage()
    const growing = await open(undefined, {}, true)
    vi.useFakeTimers()
    point()
    await act(() => vi.advanceTimersByTimeAsync(1000))
    expect(growing.sent).toEqual([])
  })

  it('shows the host with its icon or letter if the page cannot be read [LP-04]', async () => {
    const unread = { ...preview, title: null, description: null, imageUrl: null, publisher: null }
    await open(undefined, { 'GET /link-previews': () => unread })
    point()
    const card = await screen.findByRole('dialog', { hidden: true })
    await screen.findByText('insee.example.fr/index')
    expect(card.textContent).toContain('insee.example.fr')
    await waitFor(() => expect(card.querySelectorAll('img')).toHaveLength(1))
    leavePage()
    const none = () => new Response(null, { status: 204 })
    await open(undefined, { 'GET /link-previews': () => [500, {}], 'GET /link-previews/favicon': none })
    point()
    await screen.findByText('insee.example.fr/index')
    expect(screen.getByText('I')).toBeTruthy()
  })

  it('has a card only for a host with a dot and more than three letters [LP-02]', async () => {
    const fits = ['http://a.fr', 'https://insee.example.fr/x?y=1', 'https://127.0.0.1/']
    const fails = [
      'https://intranet/achats',
      'http://a.b',
      'https://abc./',
      'mailto:a@example.fr',
      'ftp://a.fr',
      '',
    ]
    expect(fits.filter(canPreview)).toEqual(fits)
    expect(fails.filter(canPreview)).toEqual([])
    const { sent } = await open('See [the intranet](http://intranet/achats).')
    expect(screen.getByRole('link').getAttribute('href')).toBe('http://intranet/achats')
    vi.useFakeTimers()
    point()
    await act(() => vi.advanceTimersByTimeAsync(1000))
    expect(screen.queryByRole('dialog', { hidden: true })).toBeNull()
    expect(sent).toEqual([])
  })

  it('is fetched once in 24 hours [LP-05]', async () => {
    const { sent } = await open(`[one](${url}) and [two](${url})`)
    const [one, two] = screen.getAllByRole('link').map((link) => link.parentElement!)
    const asked = () => sent.filter(({ path }) => path === '/link-previews').length
    fireEvent.pointerEnter(one!, { pointerType: 'mouse' })
    await screen.findByText('Labour cost index')
    vi.useFakeTimers({ now: Date.now() + 23 * 3_600_000, shouldAdvanceTime: true })
    fireEvent.pointerEnter(two!, { pointerType: 'mouse' })
    await waitFor(() => expect(one!.querySelector('[role=dialog]')).toBeNull())
    expect(asked()).toBe(1)
    vi.setSystemTime(Date.now() + 2 * 3_600_000)
    fireEvent.pointerEnter(one!, { pointerType: 'mouse' })
    await waitFor(() => expect(asked()).toBe(2))
  })
})
