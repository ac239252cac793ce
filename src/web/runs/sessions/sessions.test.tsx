import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { flattenSessions } from './session-pages.ts'
import {
  noteChange,
  noteSession,
  useFirstSessionId,
  useListedTitles,
  useSessionDetails,
  useSessionHead,
  useSessionList,
} from './sessions.ts'

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

/** Shows a session in the header, the history and the inbox. */
function Shown() {
  const list = useSessionList()
  useSessionHead(list.isSuccess)
  const details = useSessionDetails(session.id)
  const titles = useListedTitles()
  return (
    <dl>
      <dd data-testid="header">{details.data?.title}</dd>
      <dd data-testid="list">{flattenSessions(list.data)[0]?.title}</dd>
      <dd data-testid="inbox">{titles.get(session.id)}</dd>
    </dl>
  )
}

function shown() {
  const textOf = (id: string) => screen.getByTestId(id).textContent
  return { header: textOf('header'), list: textOf('list'), inbox: textOf('inbox') }
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

describe('session details', () => {
  const reads = (sent: { path: string }[]) =>
    sent.filter((call) => call.path === `/sessions/${session.id}`).length

  it('are polled every 3 s, and update the history [SE-17, SV-14]', async () => {
    const answers = aServer('NEW')
    const { sent } = await renderPage(<Details />, { answers })
    await waitFor(() => expect(screen.getByTestId('details').textContent).toBe('NEW'))
    const before = reads(sent)
    Object.assign(answers, aServer('GENERATING'))
    await act(() => vi.advanceTimersByTimeAsync(3000))
    expect(reads(sent)).toBe(before + 1)
    await waitFor(() => expect(screen.getByTestId('list').textContent).toBe('GENERATING'))
  })

  it('are not polled while the tab is hidden [SE-17]', async () => {
    const { sent } = await renderPage(<Details />, { answers: aServer('NEW') })
    await waitFor(() => expect(screen.getByTestId('details').textContent).toBe('NEW'))
    act(() => setVisible(false))
    const before = reads(sent)
    await act(() => vi.advanceTimersByTimeAsync(9000))
    expect(reads(sent)).toBe(before)
    act(() => setVisible(true))
    await waitFor(() => expect(reads(sent)).toBeGreaterThan(before))
  })

  it('update title and state everywhere simultaneously, whichever query read them', async () => {
    const answers = aServer('NEW')
    answers['GET /sessions'] = () => ({ items: [{ ...session, status: 'GENERATING' }], total: 1 })
    await renderPage(<Shown />, { answers })
    await waitFor(() =>
      expect(shown()).toEqual({ header: 'Kessler call', list: 'Kessler call', inbox: 'Kessler call' }),
    )
    // The first page is refetched and brings a new title, while the details are still pending.
    answers[path] = () => new Promise(() => undefined)
    answers['GET /sessions'] = () => ({ items: [{ ...session, title: 'Renewal' }], total: 1 })
    const seen = new Set<string>()
    const watch = new MutationObserver(() => seen.add(JSON.stringify(shown())))
    watch.observe(document.body, { childList: true, characterData: true, subtree: true })
    await act(() => vi.advanceTimersByTimeAsync(3100))
    await waitFor(() => expect(shown().header).toBe('Renewal'))
    watch.disconnect()
    expect([...seen]).toEqual([JSON.stringify({ header: 'Renewal', list: 'Renewal', inbox: 'Renewal' })])
  })

  it('do not restore the old title from a request that was in progress', async () => {
    const answers = aServer('NEW')
    await renderPage(<Shown />, { answers })
    await waitFor(() => expect(shown().header).toBe('Kessler call'))
    let arrive = (_: unknown) => {}
    answers[path] = () => new Promise((resolve) => (arrive = resolve))
    await act(() => vi.advanceTimersByTimeAsync(3100))
    act(() => noteSession(session.id, { title: 'Renewal' }))
    await waitFor(() => expect(shown()).toEqual({ header: 'Renewal', list: 'Renewal', inbox: 'Renewal' }))
    await act(async () => arrive(session))
    expect(shown()).toEqual({ header: 'Renewal', list: 'Renewal', inbox: 'Renewal' })
  })

  it.each([{ isFirst: true }, { isFirst: false }])(
    'repeat a request that was answered before a reported change, first request: $isFirst',
    async ({ isFirst }) => {
      const answers = aServer('NEW')
      const arrive: ((answer: unknown) => void)[] = []
      const answerLate = () => new Promise((resolve) => arrive.push(resolve))
      if (isFirst) answers[path] = answerLate
      await renderPage(<Shown />, { answers })
      await waitFor(() => expect(shown().list).toBe('Kessler call'))
      answers[path] = answerLate
      answers['GET /sessions'] = answerLate
      await act(() => vi.advanceTimersByTimeAsync(isFirst ? 0 : 3100))
      await waitFor(() => expect(arrive.length).toBeGreaterThan(0))
      const renewed = { ...session, title: 'Renewal' }
      answers[path] = () => ({ ...renewed, preview: 'Signed' })
      answers['GET /sessions'] = () => ({ items: [renewed], total: 1 })
      await act(async () => noteChange(session.id, { title: 'Renewal' }))
      await act(async () => {
        for (const answer of arrive) answer(isFirst ? session : { items: [session], total: 1 })
      })
      await act(() => vi.advanceTimersByTimeAsync(50))
      expect(shown()).toEqual({ header: 'Renewal', list: 'Renewal', inbox: 'Renewal' })
      expect(queryClient.getQueryData(['session', session.id])).toMatchObject({ preview: 'Signed' })
    },
  )

  it('default to the first session if none is current [RT-27]', async () => {
    await renderPage(<Details />, { answers: aServer('NEW') })
    await waitFor(() => expect(screen.getByTestId('first').textContent).toBe(session.id))
  })
})
