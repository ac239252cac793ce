import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FilePick } from '#shared/knowledge/file-picks/file-picks.ts'
import { aDocument } from '#tests/web/document-builder.ts'
import { aServer, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { leavePick } from './pick-left.ts'

const user = userEvent.setup()
const session = aSession({ title: 'Lease' })
const pickId = crypto.randomUUID()
const way = { id: 'google-drive', source: 'google-drive', fields: [], signs_in: true, picks_there: true }
beforeEach(() => prepareBrowser())
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
  leaveApp()
})

/** Opens the chat after the page of the source sent the browser back, and returns the number of requests for each answer. */
async function comeBack(pick: Partial<FilePick>) {
  leavePick({ id: pickId, sessionId: session.id })
  const asked = { state: 0, take: 0, end: 0 }
  const answers = aServer({
    ...theSession(session),
    'GET /file-picks/ways': () => ({ items: [way] }),
    'GET /file-picks/state': () => {
      asked.state += 1
      return { id: pickId, way: way.id, state: 'ready', picked: [], ...pick }
    },
    'POST /file-picks/take': () => {
      asked.take += 1
      return aDocument({ name: 'offer.txt', status: 'completed' })
    },
    'POST /file-picks/end': () => {
      asked.end += 1
      return {}
    },
  })
  await renderApp(`/chat/${session.id}`, { token: 't', answers })
  return asked
}

describe('a pick after the page of its source', () => {
  it('adds each picked file once, and closes [CN-19]', async () => {
    const asked = await comeBack({ picked: ['offer', 'plan'] })
    await waitFor(() => expect(asked).toEqual({ state: 1, take: 2, end: 1 }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(asked).toEqual({ state: 1, take: 2, end: 1 })
  })

  it('says that the sign-in was refused until a source is chosen [CN-19]', async () => {
    const asked = await comeBack({ state: 'refused' })
    const dialog = await screen.findByRole('dialog')
    const note = () => within(dialog).queryByText('You did not allow access. Sign in again to choose files.')
    await waitFor(() => expect(note()).not.toBeNull())
    await user.click(within(dialog).getByRole('button', { name: /Google Drive/ }))
    await user.click(within(dialog).getByRole('button', { name: 'Back' }))
    expect(note()).toBeNull()
    expect(asked).toEqual({ state: 1, take: 0, end: 0 })
  })
})
