import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { aDocument } from '#tests/web/document-builder.ts'
import { WrittenStream } from '#tests/web/event-builder.ts'
import { fakeTransport } from '#tests/web/fake-transport.ts'
import { aServer, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import { aSession } from '#tests/web/session-builder.ts'

const user = userEvent.setup()
const session = aSession({ title: 'Lease' })
const fileId = crypto.randomUUID()
const aFile = (status: Document['status']) =>
  aDocument({ id: fileId, name: 'a.pdf', status, current_phase: status === 'in_progress' ? 'PARSING' : null })
beforeEach(() => prepareBrowser())
afterEach(() => {
  vi.unstubAllGlobals()
  leaveApp()
})

const field = () => screen.getByRole('textbox', { name: 'Message' })

describe('files of a chat', () => {
  it('are uploaded when pasted, and the message is sent once they have arrived', async () => {
    let arrive = () => {}
    const { forms } = fakeTransport({
      'POST /documents/upload': async () => {
        await new Promise<void>((open) => {
          arrive = open
        })
        return [201, {}]
      },
    })
    await renderApp(`/chat/${session.id}`, { token: 't', answers: aServer(theSession(session)) })
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Add files' })).toHaveProperty('disabled', false),
    )
    const files = [new File(['x'], 'a.pdf', { type: 'application/pdf' })]
    fireEvent.paste(field(), { clipboardData: { files, types: ['Files'] } })
    await screen.findByRole('button', { name: 'Cancel a.pdf' })
    await waitFor(() => expect(forms()[0]).toMatchObject({ file: 'a.pdf', chat_session_id: session.id }))
    await user.type(field(), 'What is in it?{Enter}')
    await screen.findByText('Your message is sent when the files have arrived and been read.')
    expect(field()).toHaveProperty('value', 'What is in it?')
    arrive()
    await waitFor(() => expect(field()).toHaveProperty('value', ''))
    expect(screen.queryByRole('button', { name: /a\.pdf$/ })).toBeNull()
  })

  /** Asks a question about a file that has arrived and is being read. */
  async function askWhileReading(read: () => Document) {
    fakeTransport({ 'POST /documents/upload': () => [201, aFile('in_progress')] })
    const page = await renderApp(`/chat/${session.id}`, {
      token: 't',
      answers: aServer({
        ...theSession(session),
        [`GET /documents/${fileId}`]: read,
        [`POST /sessions/${session.id}/messages`]: () => new WrittenStream().response,
      }),
    })
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Add files' })).toHaveProperty('disabled', false),
    )
    const files = [new File(['x'], 'a.pdf', { type: 'application/pdf' })]
    fireEvent.paste(field(), { clipboardData: { files, types: ['Files'] } })
    await screen.findByText(/^Parsing/)
    await user.type(field(), 'What is in it?{Enter}')
    await screen.findByText('Your message is sent when the files have been read.')
    expect(field()).toHaveProperty('value', 'What is in it?')
    return page
  }

  /** Files leave the composer with the message. */
  const left = () => expect(screen.queryByRole('button', { name: /a\.pdf/ })).toBeNull()

  it('are read before the message is sent', async () => {
    let status: Document['status'] = 'in_progress'
    const page = await askWhileReading(() => aFile(status))
    status = 'completed'
    await waitFor(left, { timeout: 5_000 })
    const [sent] = page.called(`POST /sessions/${session.id}/messages`)
    expect(sent?.body).toMatchObject({ content: 'What is in it?', document_ids: [fileId] })
    const files = screen.getByRole('list', { name: 'Files of the message' })
    const link = within(files).getByRole('link', { name: /a\.pdf/ })
    expect(link.getAttribute('href')).toContain(`document=${fileId}`)
  })

  it('are not waited for when the person asks without them', async () => {
    await askWhileReading(() => aFile('in_progress'))
    await user.click(screen.getByRole('button', { name: 'Ask without them' }))
    await waitFor(left)
  })

  it('leave the decision to the person when they cannot be read', async () => {
    let status: Document['status'] = 'in_progress'
    await askWhileReading(() => aFile(status))
    status = 'failed'
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Ask without them' })).toBeNull(), {
      timeout: 5_000,
    })
    expect(left).toThrow()
    expect(field()).toHaveProperty('value', 'What is in it?')
  })

  it.each(['paste', 'drop'] as const)('are added on %s [MS-16]', async (way) => {
    const { forms } = fakeTransport({ 'POST /documents/upload': () => [201, {}] })
    await renderApp(`/chat/${session.id}`, { token: 't', answers: aServer(theSession(session)) })
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Add files' })).toHaveProperty('disabled', false),
    )
    const files = [new File(['x'], 'a.pdf', { type: 'application/pdf' })]
    const data = { files, types: ['Files'], items: [] }
    if (way === 'paste') fireEvent.paste(field(), { clipboardData: data })
    else fireEvent.drop(field(), { dataTransfer: data })
    await waitFor(() =>
      expect(forms().map((form) => [form.file, form.chat_session_id])).toEqual([['a.pdf', session.id]]),
    )
  })

  it.each([
    [500, 'unknown', 'Upload failed.'],
    [402, 'insufficient_balance', 'Insufficient balance. Please top up to continue.'],
  ])(
    'are added from the message field; a failed upload with %i shows: %s %s [MS-14, ER-06, ER-07]',
    async (status, code, words) => {
      const { forms } = fakeTransport({ 'POST /documents/upload': () => [status, { code, detail: 'no' }] })
      await renderApp(`/chat/${session.id}`, { token: 't', answers: aServer(theSession(session)) })
      await waitFor(() =>
        expect(screen.getByRole('button', { name: 'Add files' })).toHaveProperty('disabled', false),
      )
      const files = [new File(['x'], 'a.pdf', { type: 'application/pdf' })]
      fireEvent.paste(field(), { clipboardData: { files, types: ['Files'] } })
      const item = (await screen.findByText('a.pdf')).closest('li') as HTMLElement
      const alert = await waitFor(() => {
        const found = document.querySelector<HTMLElement>('.chat-alert')
        if (!found) throw new Error('nothing is shown')
        return found
      })
      expect(`${alert.textContent} ${item.textContent}`).toContain(words)
      expect(forms().map((form) => [form.file, form.chat_session_id])).toEqual([['a.pdf', session.id]])
    },
  )
})
