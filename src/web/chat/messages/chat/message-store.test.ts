import { beforeEach, describe, expect, it } from 'vitest'
import { aBranch, aMessage } from '#tests/web/message-builder.ts'
import {
  appendMessages,
  fadeFrom,
  fillGap,
  gapOf,
  messageStore,
  patchMessage,
  prependBranch,
  removeFaded,
  removeMessages,
  renameMessage,
  resetMessages,
  setBranch,
  showStretch,
} from './message-store.ts'
import { isTemporary, newClientId, temporaryQuestion, temporaryReply } from './temporary.ts'

const state = () => messageStore.getState()

beforeEach(() => resetMessages('session-1'))

describe('message store', () => {
  it('holds messages by id, their order, streaming, regenerating, branches, flags and editing [MS-03]', () => {
    expect(Object.keys(state()).sort()).toEqual(
      [
        ...['branchCache', 'branchIndex', 'branchOptions', 'chatSessionId', 'currentBranchId'],
        ...['branchCount', 'branchNumber', 'elsewhereId', 'forks', 'gap', 'heldKey', 'links'],
        ...[
          'editAndRegenerateId',
          'editingId',
          'error',
          'hasOlder',
          'isBranchSwitching',
          'isLoading',
          'isStreaming',
          'loadingMore',
        ],
        ...['messagesById', 'order', 'reconnecting', 'regeneratingId', 'sentKey', 'streamingId'],
        ...['streamingSessionId', 'target', 'total'],
      ].sort(),
    )
  })

  it('stores the active branch and its id [BR-01]', () => {
    const [a, b] = [aMessage(), aMessage({ role: 'assistant' })]
    setBranch(aBranch([a, b]))
    expect(state()).toMatchObject({ order: [a.id, b.id], currentBranchId: b.id, isLoading: false, total: 2 })
  })

  it('puts a distant page before a gap, which is filled from both sides [BR-01]', () => {
    const path = Array.from({ length: 12 }, () => aMessage())
    path.forEach((message, at) => {
      message.parent_id = path[at - 1]?.id ?? null
    })
    const page = (start: number, end: number) =>
      aBranch(path.slice(start, end), { total: 12, start, has_more: start > 0 })
    const places = () => state().order.map((id) => path.findIndex((message) => message.id === id))
    setBranch(page(9, 12))
    showStretch(page(2, 4))
    expect(places()).toEqual([2, 3, 9, 10, 11])
    expect(gapOf(state())).toEqual({ at: 1, count: 5 })
    expect(state().hasOlder).toBe(true)
    fillGap(page(4, 6), 'above')
    fillGap(page(8, 9), 'below')
    expect(places()).toEqual([2, 3, 4, 5, 8, 9, 10, 11])
    expect(gapOf(state())).toEqual({ at: 3, count: 2 })
    setBranch(page(8, 12))
    expect(places()).toEqual([2, 3, 4, 5, 8, 9, 10, 11])
    expect(gapOf(state())).toEqual({ at: 3, count: 2 })
    fillGap(page(6, 8), 'below')
    expect(places()).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(state().gap).toBeNull()
    showStretch(page(0, 2))
    expect(places().slice(0, 3)).toEqual([0, 1, 2])
    expect(state()).toMatchObject({ gap: null, hasOlder: false, total: 12 })
  })

  it('removes a gap after a message together with everything after it [BR-12]', () => {
    const path = Array.from({ length: 8 }, () => aMessage())
    setBranch(aBranch(path.slice(6), { total: 8, start: 6, has_more: true }))
    showStretch(aBranch(path.slice(0, 2), { total: 8, start: 0 }))
    fadeFrom(2)
    removeFaded()
    expect(state()).toMatchObject({ order: [path[0]?.id, path[1]?.id], gap: null, total: 2 })
  })

  it('prepends older pages once', () => {
    const [a, b, c] = [aMessage(), aMessage(), aMessage()]
    setBranch(aBranch([c], { has_more: true, total: 3 }))
    prependBranch(aBranch([a, b], { total: 3 }))
    prependBranch(aBranch([a, b], { total: 3 }))
    expect(state()).toMatchObject({ order: [a.id, b.id, c.id], hasOlder: false })
  })

  it("uses temporary ids with the prefix temp-, replaced by the server's ids [MS-06]", () => {
    const question = temporaryQuestion(
      { sessionId: 'session-1', clientId: newClientId(), parentId: null },
      'Hi',
    )
    expect(question.id.startsWith('temp-')).toBe(true)
    expect(isTemporary(question.id)).toBe(true)
    appendMessages(question)
    const { id } = aMessage()
    renameMessage(question.id, id, { status: 'completed' })
    expect(state().order).toEqual([id])
    expect(state().messagesById[id]).toMatchObject({ id, content: 'Hi', status: 'completed' })
    expect(state().messagesById[question.id]).toBeUndefined()
  })

  it('keeps the key of a message when it gets its id, even through a page loaded later [MS-07]', () => {
    const given = { sessionId: 'session-1', clientId: newClientId(), parentId: null }
    const [question, reply] = [temporaryQuestion(given, 'Hi'), temporaryReply({ ...given, parentId: null })]
    appendMessages(question, reply)
    const [a, b] = [aMessage({ client_id: given.clientId }), aMessage({ role: 'assistant' })]
    renameMessage(question.id, a.id)
    renameMessage(reply.id, b.id)
    setBranch(aBranch([a, b]))
    expect(state().order.map((id) => state().messagesById[id]?.key)).toEqual([question.key, reply.key])
  })

  it('shows a message once if the server reported it before its stream did', () => {
    const question = temporaryQuestion({ sessionId: 'session-1', clientId: 'c', parentId: null }, 'Hi')
    const known = aMessage()
    appendMessages({ ...known, key: known.id }, question)
    renameMessage(question.id, known.id)
    expect(state().order).toEqual([known.id])
  })

  it('changes nothing for an unknown id', () => {
    const before = state()
    patchMessage('nothing', { content: 'x' })
    renameMessage('nothing', 'else')
    expect(state().order).toEqual(before.order)
    expect(state().messagesById).toEqual({})
  })

  it('removes messages', () => {
    const [a, b] = [aMessage(), aMessage()]
    setBranch(aBranch([a, b]))
    removeMessages(b.id, 'nothing')
    expect(state()).toMatchObject({ order: [a.id], total: 1 })
  })
})
