import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { aSession } from '#tests/web/session-builder.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { meQuery } from '../../platform/lib/me/me.ts'
import { clearToken, setToken } from '../../platform/lib/me/token.ts'
import { prepareChanges, showChange } from './show-change.ts'

const session = aSession({ title: 'Kessler call', status: 'NEW' })
const known = () => queryClient.getQueryData<Session>(['session', session.id])
const sent: string[] = []
globalThis.fetch = async (url) => {
  sent.push(new URL(String(url), 'http://localhost').pathname)
  return Response.json({ ...session, title: 'Minutes', status: 'COMPLETED', preview: 'Read anew' })
}
beforeAll(prepareChanges)
beforeEach(() => setToken('test-token'))
afterEach(() => {
  clearToken()
  queryClient.clear()
  sent.length = 0
})

it('shows title and state of a chat immediately and refetches the rest', async () => {
  queryClient.setQueryData(['session', session.id], session)
  const change = {
    session_id: session.id,
    title: 'Minutes',
    status: 'COMPLETED',
    agent_status: null,
    is_unread: true,
  } as const
  showChange({ event: 'session_changed', ...change })
  expect(known()).toMatchObject({ title: 'Minutes', status: 'COMPLETED', is_unread: true })
  await vi.waitFor(() => expect(known()?.preview).toBe('Read anew'))
})

it('refetches nothing when a chat is only renamed', () => {
  queryClient.setQueryData(['session', session.id], session)
  const change = {
    session_id: session.id,
    title: 'Minutes',
    status: 'NEW',
    agent_status: null,
    is_unread: false,
  } as const
  showChange({ event: 'session_changed', ...change })
  expect(known()?.title).toBe('Minutes')
  expect(sent).toEqual([])
})

it('shows the marks of a chat in the order of their events', () => {
  queryClient.setQueryData(['session', session.id], session)
  const marks = { session_id: session.id, pin_position: null, is_archived: false, tags: [] }
  for (const is_unread of [true, false]) showChange({ event: 'session_marked', ...marks, is_unread })
  expect(known()?.is_unread).toBe(false)
})

it('removes a deleted chat from the cache', () => {
  queryClient.setQueryData(['session', session.id], session)
  showChange({ event: 'session_deleted', session_id: session.id })
  expect(known()).toBeUndefined()
})

it('refetches what changed while its first read was under way', async () => {
  const answers: ((value: string) => void)[] = []
  const queryFn = ({ signal }: { signal: AbortSignal }) => {
    expect(signal.aborted).toBe(false)
    return new Promise<string>((resolve) => answers.push(resolve))
  }
  const first = queryClient.fetchQuery({ queryKey: ['documents', 'first'], queryFn }).catch(() => undefined)
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  showChange({ event: 'document_created', document_id: session.id, name: 'a.pdf', status: 'queued' } as never)
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[0]?.('before the change')
  answers[1]?.('after the change')
  await first
  await vi.waitFor(() => expect(queryClient.getQueryData(['documents', 'first'])).toBe('after the change'))
})

it('refetches the inbox after an input request', () => {
  queryClient.setQueryData(['input-requests', 'first'], { items: [], total: 0 })
  showChange({ event: 'request_opened', run_id: 'a', session_id: null })
  expect(queryClient.getQueryState(['input-requests', 'first'])?.isInvalidated).toBe(true)
})

it('updates the balance if there is one', () => {
  const setMe = (balance: number | null) => queryClient.setQueryData(meQuery.queryKey, { balance } as never)
  const balanceNow = () => queryClient.getQueryData<{ balance: number | null }>(meQuery.queryKey)?.balance
  setMe(3)
  showChange({ event: 'balance_changed', balance: 2.5 })
  expect(balanceNow()).toBe(2.5)
  setMe(null)
  showChange({ event: 'balance_changed', balance: 2.5 })
  expect(balanceNow()).toBeNull()
})
