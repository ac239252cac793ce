import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import type { ChatLibrary } from '#shared/knowledge/rag/chat-library.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { useChatPanel } from '../../platform/lib/chat-panel.ts'
import { LibraryLine } from './chat/library-line.tsx'

const session = crypto.randomUUID()
const [lease, space, cook] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
const none = { documents: 0, names: [] }
const library: ChatLibrary = {
  documents: { items: [{ id: lease, name: 'Lease.pdf', status: 'completed' }], total: 4 },
  workspaces: { items: [{ id: space, name: 'Kitchen', document_count: 12 }], total: 1 },
  assistant: { id: cook, name: 'Cook', document_count: 2 },
  ...{ readable: 15, left_out: { reading: none, failed: none } },
}

async function show(answer: ChatLibrary) {
  return renderPage(<LibraryLine sessionId={session} />, {
    path: `/chat/${session}`,
    answers: {
      [`GET /sessions/${session}/library`]: () => answer,
      [`DELETE /sessions/${session}/documents/${lease}`]: () => ({ message: 'Taken out' }),
      [`DELETE /sessions/${session}/workspaces/${space}`]: () => ({ message: 'Taken out' }),
    },
  })
}
afterEach(leavePage)

const user = userEvent.setup()

describe('sources line above the message field', () => {
  it('names and counts the documents, workspaces and assistant files used for answers', async () => {
    await show(library)
    const line = await screen.findByRole('region', { name: 'What this chat answers from' })
    for (const text of ['Answers from 15 documents', 'Lease.pdf', 'Kitchen', '12 documents', 'Files of Cook'])
      expect(line.textContent).toContain(text)
    await user.click(screen.getByRole('button', { name: '+3 more' }))
    expect(useChatPanel.getState()).toMatchObject({ shown: 'context', section: 'environment' })
  })

  it('opens its items, and removes them from the chat', async () => {
    const { sent, hrefNow } = await show(library)
    await user.click(await screen.findByRole('link', { name: 'Lease.pdf' }))
    expect(hrefNow()).toContain(`?document=${lease}`)
    for (const name of ['Lease.pdf', 'Kitchen'])
      await user.click(screen.getByRole('button', { name: `Take ${name} out of this chat` }))
    const gone = () => sent.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
    await waitFor(() =>
      expect(gone()).toEqual([
        `/sessions/${session}/documents/${lease}`,
        `/sessions/${session}/workspaces/${space}`,
      ]),
    )
  })

  it('lists documents being processed, and counts failed ones', async () => {
    const left_out = {
      reading: { documents: 1, names: ['Scan.pdf'] },
      failed: { documents: 3, names: ['A.pdf', 'B.pdf', 'C.pdf'] },
    }
    await show({ ...library, left_out })
    expect((await screen.findByRole('status')).textContent).toBe(
      'Scan.pdf is still being read and joins a later answer.3 could not be read: A.pdf, B.pdf, C.pdfSee why, or try again',
    )
  })

  it('is hidden in a chat without documents', async () => {
    const { sent } = await show({
      ...{ documents: { items: [], total: 0 }, workspaces: { items: [], total: 0 }, assistant: null },
      ...{ readable: 0, left_out: { reading: none, failed: none } },
    })
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(screen.queryByRole('region')).toBeNull()
  })
})
