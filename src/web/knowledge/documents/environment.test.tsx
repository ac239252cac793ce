import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aDocument, anEmptyState, aPage } from '#tests/web/document-builder.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { EnvironmentSection } from './chat/environment-section.tsx'

const session = crypto.randomUUID()
const lease = aDocument({ name: 'Lease.docx' })
const scan = aDocument({ name: 'Scan.pdf', status: 'in_progress', current_phase: 'CHUNKING_ENRICHMENT' })
const broken = aDocument({
  ...{ name: 'Broken.pdf', status: 'failed', current_phase: 'PARSING' },
  failure: { code: 'encrypted', values: {} },
})

let shown: Awaited<ReturnType<typeof renderPage>>
beforeEach(async () => {
  shown = await renderPage(<EnvironmentSection sessionId={session} />, {
    path: `/chat/${session}`,
    answers: {
      'GET /documents': ({ query }) =>
        aPage(query.get('chat_session_id') === session ? [lease, scan, broken] : [], query),
      'GET /documents/state': () => anEmptyState,
      [`DELETE /sessions/${session}/documents/${lease.id}`]: () => ({ message: 'Taken out' }),
    },
  })
  await screen.findByText('Lease.docx')
})
afterEach(leavePage)

const user = userEvent.setup()

describe('environment section', () => {
  it('shows the documents of the chat in two columns, or as a grid [SH-14, SE-21]', async () => {
    const list = screen.getByRole('list')
    const names = within(list).getAllByRole('link')
    expect(names.map(({ textContent }) => textContent)).toEqual(['Lease.docx', 'Scan.pdf', 'Broken.pdf'])
    expect(list.dataset.layout).toBe('columns')
    await user.click(screen.getByRole('button', { name: 'Show as a grid' }))
    expect(list.dataset.layout).toBe('grid')
    await user.click(screen.getByRole('button', { name: 'Show in two columns' }))
    expect(list.dataset.layout).toBe('columns')
  })

  it('shows their progress, and why one could not be read', () => {
    expect(screen.getByRole('status').textContent).toBe('1 ready, 1 being read, 1 failed')
    expect(screen.getByRole('progressbar', { name: 'Scan.pdf' }).getAttribute('aria-valuenow')).toBe('50')
    expect(
      within(screen.getByText('Broken.pdf').closest('li') as HTMLElement).getByText(/password/),
    ).toBeTruthy()
  })

  it('opens one next to the chat, and removes one', async () => {
    await user.click(screen.getByRole('link', { name: 'Lease.docx' }))
    expect(shown.hrefNow()).toContain(`?document=${lease.id}`)
    await user.click(screen.getByRole('button', { name: 'More for Lease.docx' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Take out of this chat' }))
    const path = `/sessions/${session}/documents/${lease.id}`
    await waitFor(() =>
      expect(shown.sent.some((one) => one.method === 'DELETE' && one.path === path)).toBe(true),
    )
  })
})
