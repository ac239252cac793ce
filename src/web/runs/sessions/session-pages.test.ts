import { describe, expect, it } from 'vitest'
import { aSession } from '#tests/web/session-builder.ts'
import {
  firstSessionId,
  flattenSessions,
  mergeHead,
  neighbourAfterDelete,
  nextSkip,
  patchSession,
  putSessionFirst,
  readSessionPage,
  removeSessions,
  type SessionPages,
  totalOf,
  UNEXPECTED_SESSIONS,
} from './session-pages.ts'

const sessions = [5, 4, 3, 2, 1].map((day) => aSession({ updated_at: `2026-11-0${day}T08:00:00.000Z` }))
const [newest, second, third, fourth, oldest] = sessions as [
  (typeof sessions)[0],
  (typeof sessions)[0],
  (typeof sessions)[0],
  (typeof sessions)[0],
  (typeof sessions)[0],
]
const idsOf = (data: SessionPages) => flattenSessions(data).map(({ id }) => id)

const loaded: SessionPages = {
  pages: [
    { items: [newest, second], total: 5 },
    { items: [third, fourth], total: 5 },
  ],
  pageParams: [0, 2],
}

const asked = { skip: 0, limit: 50 }

describe('answer of the list', () => {
  it('reads an array [SE-16, SV-12]', () => {
    expect(readSessionPage([newest], asked)).toEqual({ items: [newest], total: 1 })
  })

  it('reads an object with items and total [SE-16, SV-12]', () => {
    expect(readSessionPage({ items: [newest], total: 41 }, asked)).toEqual({ items: [newest], total: 41 })
    expect(readSessionPage({ items: [newest] }, asked).total).toBe(1)
  })

  it('treats a full array as possibly incomplete [SE-16, SE-02]', () => {
    const pages = [readSessionPage([newest, second], { skip: 0, limit: 2 })]
    expect(nextSkip(pages)).toBe(2)
    expect(nextSkip([...pages, readSessionPage([], { skip: 2, limit: 2 })])).toBeUndefined()
  })

  it.each([null, 'text', 7, {}, { items: 'no' }])('rejects %j with the exact sentence [SE-16]', (answer) => {
    expect(() => readSessionPage(answer, asked)).toThrow(
      'Received unexpected data format for sessions. Expected an array or an object with an "items" property.',
    )
    expect(UNEXPECTED_SESSIONS).toContain('Expected an array')
  })
})

describe('pages', () => {
  it('requests the next page after everything loaded [SE-02, G-70]', () => {
    expect(nextSkip(loaded.pages)).toBe(4)
    expect(nextSkip([...loaded.pages, { items: [oldest], total: 5 }])).toBeUndefined()
    expect(nextSkip([{ items: [], total: 5 }])).toBeUndefined()
  })

  it('lists a session once if a newer one pushed it onto the next page [SE-02]', () => {
    const data = { ...loaded, pages: [loaded.pages[0]!, { items: [second, third], total: 6 }] }
    expect(idsOf(data)).toEqual([newest.id, second.id, third.id])
  })

  it('puts a new session at the top and counts it [LI-03]', () => {
    const fresh = aSession({})
    const data = putSessionFirst(loaded, fresh)
    expect(idsOf(data)[0]).toBe(fresh.id)
    expect(totalOf(data)).toBe(6)
    expect(totalOf(putSessionFirst(data, fresh))).toBe(6)
  })

  it('changes one session, and leaves the list unchanged if it is not listed [SE-07]', () => {
    const data = patchSession(loaded, third.id, { title: 'New' })
    expect(flattenSessions(data).find(({ id }) => id === third.id)?.title).toBe('New')
    expect(patchSession(loaded, oldest.id, { title: 'New' })).toBe(loaded)
  })

  it('removes deleted sessions, and starts the next page accordingly earlier [SE-10]', () => {
    const data = removeSessions(loaded, new Set([second.id, third.id]))
    expect(idsOf(data)).toEqual([newest.id, fourth.id])
    expect(totalOf(data)).toBe(3)
    expect(nextSkip(data.pages)).toBe(2)
  })
})

describe('refreshed first page', () => {
  it('brings new statuses and the new order, and preserves later pages [SE-12]', () => {
    const running = { ...third, status: 'GENERATING' as const, updated_at: '2026-11-06T08:00:00.000Z' }
    const data = mergeHead(loaded, { items: [running, newest], total: 5 })
    expect(idsOf(data)).toEqual([third.id, newest.id, second.id, fourth.id])
    expect(flattenSessions(data)[0]?.status).toBe('GENERATING')
  })

  it('removes sessions deleted elsewhere [SE-12]', () => {
    const data = mergeHead(loaded, { items: [newest, third], total: 4 })
    expect(idsOf(data)).toEqual([newest.id, third.id, fourth.id])
    expect(totalOf(data)).toBe(4)
    expect(idsOf(mergeHead(loaded, { items: [newest], total: 1 }))).toEqual([newest.id])
    expect(idsOf(mergeHead(loaded, { items: [], total: 0 }))).toEqual([])
  })
})

describe('next session', () => {
  it('is the first one if none is current [RT-27]', () => {
    expect(firstSessionId(sessions, null)).toBe(newest.id)
    expect(firstSessionId(sessions, third.id)).toBeNull()
    expect(firstSessionId([], null)).toBeNull()
  })

  it('is the neighbour of a deleted current session, otherwise the start page [SE-11]', () => {
    const order = sessions.map(({ id }) => id)
    expect(neighbourAfterDelete(order, new Set([third.id]), third.id)).toBe(fourth.id)
    expect(neighbourAfterDelete(order, new Set([oldest.id]), oldest.id)).toBe(fourth.id)
    expect(neighbourAfterDelete(order, new Set([third.id, fourth.id, oldest.id]), third.id)).toBe(second.id)
    expect(neighbourAfterDelete(order, new Set(order), third.id)).toBe('home')
    expect(neighbourAfterDelete(order, new Set([third.id]), newest.id)).toBeNull()
    expect(neighbourAfterDelete(order, new Set(order), null)).toBeNull()
  })
})
