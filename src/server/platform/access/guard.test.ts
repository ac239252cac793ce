import { describe, expect, it } from 'vitest'
import type { May } from '#shared/platform/http.ts'
import { assertDecided } from './access.ts'

const decide = (path: string, may?: May | null) => () => assertDecided({ method: 'GET', path, may })

describe('a route', () => {
  it.each<[string, May | null | undefined]>([
    ['/sessions', undefined],
    ['/sessions/:sessionId', 'read session'],
    ['/sessions/:sessionId/messages/:messageId', 'read message'],
    ['/translations/:lng/:ns', null],
  ])('%s is served when %s is what its caller must be allowed to do', (path, may) => {
    expect(decide(path, may)).not.toThrow()
  })

  it.each<[string, May | null | undefined]>([
    ['/sessions/:sessionId', undefined],
    ['/sessions/:sessionId', null],
    ['/sessions/:sessionId', 'read assistant'],
    ['/sessions/:sessionId', 'read message'],
    ['/translations/:lng/:ns', undefined],
  ])('%s keeps the server from starting with %s', (path, may) => {
    expect(decide(path, may)).toThrow('does not say what its caller must be allowed to do')
  })
})
