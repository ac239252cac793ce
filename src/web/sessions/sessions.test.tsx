import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answers, leavePage, renderPage } from '../lib/render-page.tsx'
import { aSession } from './session-builder.ts'
import { flattenSessions } from './session-pages.ts'
import { useFirstSessionId, useSessionDetails, useSessionList } from './sessions.ts'

const session = aSession({ title: 'Kessler call', status: 'NEW' })
const path = `GET /sessions/${session.id}`
const aServer = (status: 'NEW' | 'GENERATING'): Answers => ({
  'GET /sessions': () => ({ items: [session], total: 1 }),
  [path]: () => ({ ...session, status }),
})

function Details() {
  const list = useSessionList()
  const details = useSessionDetails(session.id)
  const first = useFirstSessionId(null)
  return (
    <dl>
      <dd data-testid="details">{details.data?.status}</dd>
      <dd data-testid="list">{flattenSessions(list.data)[0]?.status}</dd>
      <dd data-testid="first">{first}</dd>
    </dl>
  )
}

const setVisible = (isVisible: boolean) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isVisible ? 'visible' : 'hidden')
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  vi.restoreAllMocks()
  leavePage()
  vi.useRealTimers()
})

describe('the details of a session', () => {
  const reads = (sent: { path: string }[]) =>
    sent.filter((call) => call.path === `/sessions/${session.id}`).length

  it('SE-17 SV-14 are read again every 3 s, and the history follows them', async () => {
    const answers = aServer('NEW')
    const { sent } = await renderPage(<Details />, { answers })
    await waitFor(() => expect(screen.getByTestId('details').textContent).toBe('NEW'))
    const before = reads(sent)
    Object.assign(answers, aServer('GENERATING'))
    await act(() => vi.advanceTimersByTimeAsync(3000))
    expect(reads(sent)).toBe(before + 1)
    await waitFor(() => expect(screen.getByTestId('list').textContent).toBe('GENERATING'))
  })

  it('SE-17 are not read while the tab is hidden', async () => {
    const { sent } = await renderPage(<Details />, { answers: aServer('NEW') })
    await waitFor(() => expect(screen.getByTestId('details').textContent).toBe('NEW'))
    act(() => setVisible(false))
    const before = reads(sent)
    await act(() => vi.advanceTimersByTimeAsync(9000))
    expect(reads(sent)).toBe(before)
    act(() => setVisible(true))
    await waitFor(() => expect(reads(sent)).toBeGreaterThan(before))
  })

  it('RT-27 names the first session when none is current', async () => {
    await renderPage(<Details />, { answers: aServer('NEW') })
    await waitFor(() => expect(screen.getByTestId('first').textContent).toBe(session.id))
  })
})
