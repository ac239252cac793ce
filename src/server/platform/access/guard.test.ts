import { describe, expect, it } from 'vitest'
import type { May } from '#shared/platform/http.ts'
import { assertDecided } from './access.ts'

const decide = (path: string, may?: May | null) => () => assertDecided({ method: 'GET', path, may })

describe('assertDecided', () => {
  it.each<[string, May | null | undefined]>([
    ['/sessions', undefined],
    ['/sessions/:sessionId', 'read session'],
    ['/sessions/:sessionId/messages/:messageId', 'read message'],
    ['/translations/:lng/:ns', null],
  ])('accepts %s when its route requires %s', (path, may) => {
    expect(decide(path, may)).not.toThrow()
  })

  it.each<[string, May | null | undefined]>([
    ['/sessions/:sessionId', undefined],
    ['/sessions/:sessionId', null],
    ['/sessions/:sessionId', 'read assistant'],
    ['/sessions/:sessionId', 'read message'],
    ['/translations/:lng/:ns', undefined],
  ])('rejects %s when its route requires %s', (path, may) => {
    expect(decide(path, may)).toThrow('does not say what its caller must be allowed to do')
  })
})
