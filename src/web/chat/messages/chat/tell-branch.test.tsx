import i18next from 'i18next'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aBranch } from '#tests/web/message-builder.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { leaveChat, openChat } from './chat.ts'
import { resetMessages } from './message-store.ts'
import { forgetUntold, STAY_MS, tellLater } from './tell-branch.ts'

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  forgetUntold()
  resetMessages(null)
  vi.useRealTimers()
  leavePage()
})

async function shownWithoutACall() {
  const { sent } = await renderPage(<p />, {
    answers: {
      'POST /sessions/s1/navigate/a': () => aBranch([]),
      'POST /sessions/s1/navigate/b': () => aBranch([]),
      'GET /sessions/s1/active-branch': () => aBranch([]),
    },
  })
  const leafTo = (branchId: string) => tellLater({ sessionId: 's1', branchId, t: i18next.t.bind(i18next) })
  const calls = () =>
    sent.filter(({ path }) => path.startsWith('/sessions/s1/')).map(({ path }) => path.slice(13))
  return { leafTo, calls }
}

describe('branch shown without a call', () => {
  it('is reported once it has stayed on screen, but skipped ones are not', async () => {
    const { leafTo, calls } = await shownWithoutACall()
    leafTo('a')
    await vi.advanceTimersByTimeAsync(STAY_MS - 100)
    leafTo('b')
    await vi.advanceTimersByTimeAsync(STAY_MS - 100)
    expect(calls()).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(calls()).toEqual(['navigate/b'])
    await vi.advanceTimersByTimeAsync(2 * STAY_MS)
    expect(calls()).toEqual(['navigate/b'])
  })

  it('is reported when the chat is left, and before the active branch is refetched', async () => {
    const { leafTo, calls } = await shownWithoutACall()
    leafTo('a')
    leaveChat('s1')
    await vi.waitFor(() => expect(calls()).toEqual(['navigate/a']))
    leafTo('b')
    await openChat('s1')
    expect(calls()).toEqual(['navigate/a', 'navigate/b', 'active-branch'])
  })

  it('is no longer reported if another branch became active', async () => {
    const { leafTo, calls } = await shownWithoutACall()
    leafTo('a')
    forgetUntold()
    await vi.advanceTimersByTimeAsync(2 * STAY_MS)
    expect(calls()).toEqual([])
  })
})
