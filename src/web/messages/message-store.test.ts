import { beforeEach, describe, expect, it } from 'vitest'
import { aBranch, aMessage } from './message-builder.ts'
import {
  appendMessages,
  messageStore,
  patchMessage,
  prependBranch,
  removeMessages,
  renameMessage,
  resetMessages,
  setBranch,
} from './message-store.ts'
import { isTemporary, newClientId, temporaryQuestion, temporaryReply } from './temporary.ts'

const state = () => messageStore.getState()

beforeEach(() => resetMessages('session-1'))

describe('the message store', () => {
  it('MS-03 holds messages by id, their order, streaming, regenerating, branches, flags and editing', () => {
    expect(Object.keys(state()).sort()).toEqual(
      [
        ...['branchCache', 'branchIndex', 'branchOptions', 'chatSessionId', 'currentBranchId'],
        ...['branchCount', 'branchNumber', 'elsewhereId', 'forks', 'heldKey'],
        ...[
          'editAndRegenerateId',
          'editingId',
          'error',
          'hasOlder',
          'isBranchSwitching',
          'isLoading',
          'isStreaming',
        ],
        ...['messagesById', 'order', 'reconnecting', 'regeneratingId', 'sentKey', 'soughtId'],
        ...['streamingId', 'streamingSessionId', 'total'],
      ].sort(),
    )
  })

  it('BR-01 takes the active branch and its id', () => {
    const [a, b] = [aMessage(), aMessage({ role: 'assistant' })]
    setBranch(aBranch([a, b]))
    expect(state()).toMatchObject({ order: [a.id, b.id], currentBranchId: b.id, isLoading: false, total: 2 })
  })

  it('puts older pages in front, once', () => {
    const [a, b, c] = [aMessage(), aMessage(), aMessage()]
    setBranch(aBranch([c], { has_more: true, total: 3 }))
    prependBranch(aBranch([a, b], { total: 3 }))
    prependBranch(aBranch([a, b], { total: 3 }))
    expect(state()).toMatchObject({ order: [a.id, b.id, c.id], hasOlder: false })
  })

  it('MS-06 temporary ids start with temp- and are replaced by the ids of the server', () => {
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

  it('MS-07 a message keeps its key when it gets its id, also through a page that is read later', () => {
    const given = { sessionId: 'session-1', clientId: newClientId(), parentId: null }
    const [question, reply] = [temporaryQuestion(given, 'Hi'), temporaryReply({ ...given, parentId: null })]
    appendMessages(question, reply)
    const [a, b] = [aMessage({ client_id: given.clientId }), aMessage({ role: 'assistant' })]
    renameMessage(question.id, a.id)
    renameMessage(reply.id, b.id)
    setBranch(aBranch([a, b]))
    expect(state().order.map((id) => state().messagesById[id]?.key)).toEqual([question.key, reply.key])
  })

  it('shows a message once when the server told of it before its stream did', () => {
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

  it('takes messages away', () => {
    const [a, b] = [aMessage(), aMessage()]
    setBranch(aBranch([a, b]))
    removeMessages(b.id, 'nothing')
    expect(state()).toMatchObject({ order: [a.id], total: 1 })
  })
})
