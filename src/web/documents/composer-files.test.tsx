import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aServer, leaveApp, prepareBrowser, renderApp, theSession } from '../render-app.tsx'
import { aSession } from '../sessions/session-builder.ts'
import { fakeTransport } from '../uploads/fake-transport.ts'

const user = userEvent.setup()
const session = aSession({ title: 'Lease' })
beforeEach(() => prepareBrowser())
afterEach(() => {
  vi.unstubAllGlobals()
  leaveApp()
})

const field = () => screen.getByRole('textbox', { name: 'Message' })

describe('files of a chat', () => {
  it('uploads what is pasted, and sends the message once it has arrived', async () => {
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
    await screen.findByText('Your message goes out when the upload is done.')
    expect(field()).toHaveProperty('value', 'What is in it?')
    arrive()
    await waitFor(() => expect(field()).toHaveProperty('value', ''))
    expect(screen.queryByText('a.pdf')).toBeNull()
  })
})
