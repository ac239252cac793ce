import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aDocument, anEmptyState, aPage } from '#tests/web/document-builder.ts'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeEach(() => {
  prepareBrowser()
  globalThis.URL.createObjectURL = () => 'blob:1'
  globalThis.URL.revokeObjectURL = () => undefined
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  leaveApp()
})

const files = ['digitized.md', 'text.md']
const contract = aDocument({
  name: 'Contract.docx',
  doc_metadata: { ...aDocument().doc_metadata, files, markdown_content: '# Contract' },
})

describe('outcome of an action on a document', () => {
  it.each([
    ['a download that came', 'Download', true, 'success', 'Contract.docx was saved.'],
    ['a download that did not', 'Download', false, 'error', 'Contract.docx could not be downloaded.'],
    ['a copy that failed', 'Copy the text', false, 'error', 'The text could not be copied.'],
    ['a reading that was refused', 'Read as', false, 'error', ''],
  ])('is said in a toast: %s [DO-18]', async (_, button, isThere, kind, words) => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    const answers = aServer({
      'GET /documents': ({ query }) => aPage([contract], query),
      'GET /documents/state': () => anEmptyState,
      'GET /workspaces': () => ({ items: [], total: 0, has_more: false, page: 1 }),
      [`GET /documents/${contract.id}`]: () => contract,
      [`GET /documents/${contract.id}/files/digitized.md`]: () => new Response('# Contract'),
      [`GET /documents/${contract.id}/content`]: () => (isThere ? new Response('bytes') : [404, {}]),
      [`POST /documents/${contract.id}/reprocess`]: () => [
        409,
        { detail: 'It is at work.', code: 'conflict' },
      ],
    })
    await renderApp(`/documents/${contract.id}`, { token: 't', answers })
    await user.click(await screen.findByRole('button', { name: new RegExp(`^${button}`) }))
    if (button === 'Read as') await user.click(await screen.findByRole('menuitem', { name: 'Fast' }))
    await waitFor(() =>
      expect(document.querySelector(`.Toastify__toast--${kind}`)?.textContent).toContain(words),
    )
  })
})

describe('document being processed', () => {
  it.each(['completed', 'failed'] as const)('is polled every 5 s until it is %s [DO-14]', async (status) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let document = aDocument({ status: 'in_progress', current_phase: 'PARSING' })
    const { sent } = await renderApp(`/documents/${document.id}`, {
      token: 't',
      answers: aServer({ [`GET /documents/${document.id}`]: () => document }),
    })
    await screen.findByRole('list', { name: 'Steps of the reading' })
    const asked = () => sent.filter(({ path }) => path === `/documents/${document.id}`).length
    const askedWithin = async (ms: number) => {
      const before = asked()
      await act(() => vi.advanceTimersByTimeAsync(ms))
      return asked() - before
    }
    expect(await askedWithin(4_000)).toBe(0)
    expect(await askedWithin(1_500)).toBe(1)
    expect(await askedWithin(10_000)).toBe(2)
    document = { ...document, status, current_phase: null }
    expect(await askedWithin(5_000)).toBe(1)
    expect(await askedWithin(30_000)).toBe(0)
  })
})
