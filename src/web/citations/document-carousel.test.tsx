import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { type Answers, leavePage, renderPage } from '../lib/render-page.tsx'
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

it('TO-20 documents of a tool are read once each, side by side; what is not there is left out', async () => {
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

it('TO-20 one that cannot be read is noted and left out', async () => {
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

it('TO-20 the list stays empty when none can be read', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const page = await show(['broken'], { 'GET /documents/broken': () => [500, { detail: 'No.' }] })
  await waitFor(() => expect(page.sent).toHaveLength(1))
  expect(screen.queryByRole('link')).toBeNull()
})
