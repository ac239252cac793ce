import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { aChunk } from '#tests/web/chunk-builder.ts'
import { aDocument } from '#tests/web/document-builder.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { PreviewView } from './preview-view.tsx'

afterEach(() => {
  vi.restoreAllMocks()
  leavePage()
})

/** Shows a document with its viewer as at its address, with the given content. */
async function show(
  given: Partial<Document>,
  content: () => unknown,
  { chunk = '', answers = {} as Answers } = {},
) {
  URL.createObjectURL = () => 'blob:content'
  URL.revokeObjectURL = () => {}
  const document = aDocument(given)
  const path = `/documents/${document.id}`
  const page = await renderPage(<PreviewView />, {
    path: path + (chunk && `?chunk=${chunk}`),
    answers: {
      // The page has no routes, so its address has no id.
      ...{ [`GET ${path}`]: () => document, 'GET /documents/': () => document },
      [`GET ${path}/content`]: content,
      [`POST ${path}/playback`]: content,
      [`GET ${path}/elements`]: () => ({ parts: [], total_parts: 0 }),
      ...answers,
    },
  })
  return { ...page, document }
}

const bytes = (type: string) => () =>
  new Response(new Blob(['x'], { type }), { headers: { 'content-type': type } })
const ticket = () => ({ ticket: `t${crypto.randomUUID()}`, media_type: 'video/mp4' })
const film = { name: 'talk.mp4', normalized_extension: 'mp4' }

describe('document whose file is missing or cannot be shown', () => {
  it('reports that a recording is loading, failed, unknown or missing, and that a passage is missing [MV-14]', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await show(film, ticket, { chunk: crypto.randomUUID() })
    expect(await screen.findByText('The recording is loading…')).toBeTruthy()
    expect(await screen.findByText('The passage you were looking for is not in this document.')).toBeTruthy()
    expect(log).toHaveBeenCalled()
    const fail = async (code: number) => {
      await screen.findByRole('toolbar')
      const player = document.querySelector('video')!
      Object.defineProperty(player, 'error', { value: { code }, configurable: true })
      act(() => void fireEvent.error(player))
    }
    await fail(4)
    expect(screen.getByText('This browser cannot play the file.')).toBeTruthy()
    leavePage()
    const { sent } = await show(film, ticket)
    await fail(3)
    expect(screen.getByText('The recording could not be played.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(sent.filter(({ path }) => path.endsWith('/playback'))).toHaveLength(2))
    leavePage()
    await show(film, () => [404, { detail: 'The file is gone.' }])
    expect(await screen.findByText('Failed to fetch media')).toBeTruthy()
  })

  it('reports the status of a failed page, and retries', async () => {
    let isThere = false
    const page = { name: 'page.html', normalized_extension: 'html' }
    await show(page, () => (isThere ? bytes('text/plain')() : [404, { detail: 'The file is gone.' }]))
    expect(await screen.findByText('Failed to load HTML: Not Found')).toBeTruthy()
    isThere = true
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(document.querySelector('iframe')).not.toBeNull())
  })
})

describe('stored web page', () => {
  const frameOf = () =>
    waitFor(() => {
      const found = document.querySelector('iframe')
      if (!found) throw new Error('no frame')
      return found
    })
  const stored =
    '<script>top.location = "https://b.example"</script><p>Prices</p><a href="list.html">List</a>'
  const page = (source_url: string | null): Partial<Document> => {
    const { doc_metadata } = aDocument()
    const file_info = { ...doc_metadata.file_info, source_url }
    const kind = { name: 'page.html', normalized_extension: 'html' }
    return { ...kind, doc_metadata: { ...doc_metadata, file_info } }
  }

  it('is in a frame without scripts, with links relative to its own address; a failure shows its status [HV-01]', async () => {
    await show(page('https://a.example/prices/'), () => new Response(stored))
    const frame = await frameOf()
    expect(frame.getAttribute('sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox')
    const shown = new DOMParser().parseFromString(frame.srcdoc, 'text/html')
    expect(shown.querySelector('script')).toBeNull()
    expect(shown.querySelector('p')?.textContent).toBe('Prices')
    expect(shown.querySelector('a')?.getAttribute('href')).toBe('https://a.example/prices/list.html')
    leavePage()
    await show(page(null), () => [404, { detail: 'The file is gone.' }])
    expect(await screen.findByText('Failed to load HTML: Not Found')).toBeTruthy()
  })

  it('stays unchanged when a passage is requested [HV-03]', async () => {
    const given = { ...page(null), id: crypto.randomUUID() }
    await show(given, () => new Response(stored))
    const before = (await frameOf()).srcdoc
    leavePage()
    const chunk = aChunk({ text: 'Prices', content: 'Prices' })
    const path = `GET /documents/${given.id}/chunks/${chunk.id}`
    const answers = { [path]: () => ({ ...chunk, version: 1 }) }
    const { sent } = await show(given, () => new Response(stored), { chunk: chunk.id, answers })
    await waitFor(() => expect(sent.some(({ path }) => path.endsWith(chunk.id))).toBe(true))
    expect((await frameOf()).srcdoc).toBe(before)
    expect(document.querySelector('.chunk-mark, mark')).toBeNull()
  })

  it.each([
    ['http://a.example/b', 'http://a.example/b'],
    ['HTTPS://a.example/b', 'HTTPS://a.example/b'],
    ['//a.example/b', 'https://a.example/b'],
    ['a.example/b', 'https://a.example/b'],
  ])('opens its origin, %s, in a new tab wherever it is clicked [HV-02]', async (source_url, address) => {
    const { doc_metadata } = aDocument()
    const file_info = { ...doc_metadata.file_info, source_url }
    const given = {
      name: 'page.html',
      normalized_extension: 'html',
      doc_metadata: { ...doc_metadata, file_info },
    }
    await show(given, bytes('text/plain'))
    const frame = await waitFor(() => {
      const found = document.querySelector('iframe')
      if (!found) throw new Error('no frame')
      return found
    })
    const page = new DOMParser().parseFromString(frame.srcdoc, 'text/html')
    const cover = page.querySelector<HTMLAnchorElement>('body > a:last-child')
    expect(cover?.getAttribute('href')).toBe(address)
    expect([cover?.target, cover?.style.position, cover?.style.inset]).toEqual(['_blank', 'fixed', '0px'])
    expect(screen.getByRole('link', { name: 'Open the source' }).getAttribute('href')).toBe(address)
  })
})

describe('document without a viewer', () => {
  const book = (files: string[]): Partial<Document> => ({
    ...{ name: 'Manual.epub', normalized_extension: 'epub', file_type: 'application/epub+zip' },
    size: 4_928_307,
    doc_metadata: { ...aDocument().doc_metadata, files },
  })
  it('shows what it is and what to do: download it, or view the digitized text [PV-09, HV-04]', async () => {
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    const { container, sent } = await show(book(['digitized.md']), bytes('application/epub+zip'))
    await userEvent.click((await screen.findAllByRole('button', { name: 'Original' }))[0]!)
    expect(screen.getByRole('heading', { name: 'EPUB files cannot be shown here' })).toBeTruthy()
    const facts = [...container.querySelectorAll('dd')].map(({ textContent }) => textContent)
    expect(facts.slice(0, 2)).toEqual(['Manual.epub', 'application/epub+zip'])
    expect(facts[2]).toMatch(/^4\.7\sMB$/)
    expect(screen.getByText(/Look at what was read, or download the file/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Download the original' }))
    await waitFor(() => expect(saved).toEqual(['Manual.epub']))
    expect(sent.find(({ path }) => path.endsWith('/content'))?.query.get('original')).toBe('true')
    await userEvent.click(screen.getByRole('button', { name: 'View what was read' }))
    expect(screen.getAllByRole('button', { name: 'Digitized', pressed: true })).not.toEqual([])
    leavePage()
    await show(book([]), bytes('application/epub+zip'))
    await userEvent.click((await screen.findAllByRole('button', { name: 'Original' }))[0]!)
    expect(screen.queryByRole('button', { name: 'View what was read' })).toBeNull()
  })
})
