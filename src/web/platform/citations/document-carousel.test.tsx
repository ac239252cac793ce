import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import DocumentCarousel from './document-carousel.tsx'

afterEach(() => {
  leavePage()
  vi.restoreAllMocks()
})

const named = (...ids: string[]) => ids.map((id) => ({ id, name: null }))
const names = () => screen.getAllByRole('link').map(({ textContent }) => textContent)
const show = (ids: string[], answers: Answers) =>
  renderPage(<DocumentCarousel documents={named(...ids)} numbers={new Map()} />, {
    path: '/chat/session-1',
    answers,
  })

it('documents of a tool are loaded once each, concurrently, and missing ones are omitted [TO-20, TO-21]', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  let under = 0
  let most = 0
  const answer = (name: string) => async () => {
    under += 1
    most = Math.max(most, under)
    await new Promise((resolve) => setTimeout(resolve, 30))
    under -= 1
    return { id: name, name }
  }
  const page = await show(['a', 'b', 'a', 'gone'], {
    'GET /documents/a': answer('Lease.pdf'),
    'GET /documents/b': answer('Menu.txt'),
  })
  await waitFor(() => expect(names()).toEqual(['PDFLease.pdf', 'TXTMenu.txt']))
  expect(page.sent.map(({ path }) => path).toSorted()).toEqual([
    '/documents/a',
    '/documents/b',
    '/documents/gone',
  ])
  expect(most).toBe(2)
  expect(warned).toHaveBeenCalled()
})

it('a document that cannot be read is logged and omitted [TO-20]', async () => {
  const noted = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await show(['a', 'broken'], {
    'GET /documents/a': () => ({ id: 'a', name: 'Lease.pdf' }),
    'GET /documents/broken': () => [500, { detail: 'No.' }],
  })
  await waitFor(() => expect(names()).toEqual(['PDFLease.pdf']))
  await waitFor(() =>
    expect(noted).toHaveBeenCalledWith('Failed to load a document of a tool', 'broken', expect.anything()),
  )
})

it('the list is empty if none can be read [TO-20]', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const page = await show(['broken'], { 'GET /documents/broken': () => [500, { detail: 'No.' }] })
  await waitFor(() => expect(page.sent).toHaveLength(1))
  expect(screen.queryByRole('link')).toBeNull()
})

it('a document being processed shows its progress until it is completed [DS-05]', async () => {
  const phases = ['PARSING', 'CHUNKING_ENRICHMENT', 'EMBEDDING', null]
  let at = 0
  await show(['a'], {
    'GET /documents/a': () => ({
      ...{ id: 'a', name: 'Lease.pdf', current_phase: phases[at] },
      status: phases[at] === null ? 'completed' : 'in_progress',
    }),
  })
  const bar = await screen.findByRole('progressbar', { name: 'Lease.pdf' })
  expect(bar.getAttribute('aria-valuenow')).toBe('25')
  for (const percent of ['50', '75']) {
    at += 1
    await waitFor(() => expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe(percent), {
      timeout: 15_000,
    })
  }
  at += 1
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull(), { timeout: 15_000 })
  expect(names()).toEqual(['PDFLease.pdf'])
}, 20_000)
