import { describe, expect, it } from 'vitest'
import { failureOf } from './failures.ts'

const kindOf = (status: number, message: string) =>
  failureOf(status, JSON.stringify({ error: { message } }), {}).kind

describe('a refusal with status 403', () => {
  it.each([
    ['Your chosen model requires moderation and your input was flagged', 'bad_request'],
    ['Tool calls are disabled on this server', 'bad_request'],
    ['Rate limit exceeded for this project', 'rate_limited'],
    ['Project proj_1 does not have access to model gpt-5', 'unauthorized'],
    ['The security token included in the request is expired', 'unauthorized'],
    ['Invalid token. The token must be a key of this project.', 'unauthorized'],
  ])('blames the key only when no other reason is given: “%s”', (message, kind) => {
    expect(kindOf(403, message)).toBe(kind)
  })
})

describe('a passing problem', () => {
  it.each([
    [400, 'Model is overloaded, please try again later', 'overloaded'],
    [400, 'Rate limit exceeded. Please retry after 2 seconds', 'rate_limited'],
    [409, 'The request was aborted because of a conflict', 'overloaded'],
    [425, 'Too early', 'overloaded'],
    [498, 'Flex tier capacity exceeded', 'overloaded'],
    [400, 'The value of top_k must be at most 40', 'bad_request'],
  ])('is recognized with status %i: “%s”', (status, message, kind) => {
    expect(kindOf(status, message)).toBe(kind)
  })
})
