import { beforeEach, describe, expect, it, vi } from 'vitest'
import { getSession, listSessions } from '#shared/chat/sessions/sessions.ts'
import { createToken, getMe, updatePreferences } from '#shared/identity/accounts/accounts.ts'
import * as workspaces from '#shared/knowledge/workspaces/workspaces.ts'
import { generateReply } from '#shared/runs/runs/runs.ts'
import { settleSessionExpired, useSessionExpired } from '../me/session-expired.ts'
import { clearToken, setToken } from '../me/token.ts'
import { ApiError } from './api-error.ts'
import { call, callOrNotFound, openRoute, urlOf } from './call.ts'
import { useReachability } from './reachability.ts'

const id = '11111111-1111-4111-8111-111111111111'
let requests: { url: string; init: RequestInit }[] = []

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  globalThis.fetch = vi.fn(async (url, init) => {
    requests.push({ url: String(url), init: init ?? {} })
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
  })
}

async function failureOf(run: () => Promise<unknown>): Promise<ApiError> {
  const error = await run().then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error('It did not fail as an API error')
  return error
}

const isExpired = () => useSessionExpired.getState().isExpired
const headersOf = (index = 0) => requests[index]?.init.headers as Record<string, string>

beforeEach(() => {
  requests = []
  settleSessionExpired()
  setToken('abc')
})

describe('request', () => {
  it('goes to /api/v1 with the bearer token, and with JSON except for reads [ER-01, AU-01]', async () => {
    answer(200, {})
    await call(getMe)
    await call(updatePreferences, { body: { bio: 'x' } })
    expect(requests[0]?.url).toBe('/api/v1/users/me')
    expect(headersOf()).toMatchObject({ authorization: 'Bearer abc' })
    expect(headersOf()).not.toHaveProperty('content-type')
    expect(headersOf(1)).toMatchObject({ 'content-type': 'application/json' })
    expect(requests[1]?.init.body).toBe('{"bio":"x"}')
  })

  it('goes to the base address of the build instead [ER-01]', async () => {
    vi.stubEnv('VITE_API_BASE', 'https://api.example/v1')
    answer(200, {})
    await call(getMe)
    vi.unstubAllEnvs()
    expect(requests[0]?.url).toBe('https://api.example/v1/users/me')
    expect(headersOf()).toMatchObject({ authorization: 'Bearer abc' })
  })

  it('sends the login as form fields [AU-02]', async () => {
    clearToken()
    answer(200, { access_token: 't', token_type: 'bearer' })
    await call(createToken, { body: { username: 'claire', password: 'p&w' } })
    expect(requests[0]?.init.body?.toString()).toBe('username=claire&password=p%26w')
    expect(headersOf()).not.toHaveProperty('authorization')
  })

  it('writes params and query into the address and omits missing ones', () => {
    expect(urlOf(getSession, { params: { sessionId: 'a/b' } })).toBe('/api/v1/sessions/a%2Fb')
    expect(urlOf(listSessions, { query: { skip: 50, q: undefined } })).toBe('/api/v1/sessions?skip=50')
  })
})

describe('failure', () => {
  it('turns a 401 into its fixed sentence and opens the popup [ER-02, G-03]', async () => {
    answer(401, { detail: 'Could not validate credentials', code: 'unauthenticated' })
    const error = await failureOf(() => call(getMe))
    expect([error.status, error.message]).toEqual([401, 'Authentication error: Token may have expired'])
    expect(isExpired()).toBe(true)
  })

  it("leaves the popup closed if the login itself is refused, and keeps the server's sentence [G-03, AU-21]", async () => {
    answer(401, { detail: 'Login failed. Please check your credentials.', code: 'wrong_credentials' })
    const error = await failureOf(() => call(createToken, { body: { username: 'a', password: 'b' } }))
    expect(error.message).toBe('Login failed. Please check your credentials.')
    expect(isExpired()).toBe(false)
  })

  it('does not invalidate the new token after an answer to the old one [G-03]', async () => {
    globalThis.fetch = async () => {
      setToken('newer')
      return Response.json({ code: 'unauthenticated' }, { status: 401 })
    }
    await failureOf(() => call(getMe))
    expect(isExpired()).toBe(false)
  })

  it('turns a 404 of a read into a marker and warns [ER-03, G-71]', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    answer(404, { detail: 'Not found', code: 'not_found' })
    expect(await callOrNotFound(getSession, { params: { sessionId: id } })).toEqual({ notFound: true })
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  it('shows the detail, otherwise the status [ER-04]', async () => {
    answer(409, { detail: 'This request has already been answered.', code: 'already_answered' })
    expect((await failureOf(() => call(getMe))).message).toBe('This request has already been answered.')
    answer(500, { detail: [{ loc: ['body'] }] })
    expect((await failureOf(() => call(getMe))).message).toBe('API Error 500')
    answer(502, '<html>bad gateway</html>')
    expect((await failureOf(() => call(getMe))).message).toBe('API Error 502')
  })

  it('shows Streaming API Error on streams [ER-04]', async () => {
    answer(503, '')
    const open = () => openRoute(generateReply, { params: { sessionId: id, messageId: id } } as never)
    expect((await failureOf(open)).message).toBe('Streaming API Error 503')
  })

  it('sends no request without a token [ER-05]', async () => {
    clearToken()
    answer(200, {})
    const error = await failureOf(() => call(getMe))
    expect(error.message).toBe('No authentication token available')
    expect(requests).toEqual([])
  })

  it('reports a missing token for every call about workspaces, without a request [WS-10]', async () => {
    clearToken()
    answer(200, {})
    const calls = Object.values(workspaces).flatMap((one) =>
      typeof one === 'object' && 'method' in one && one.path.includes('workspace') ? [one] : [],
    )
    expect(calls.length).toBeGreaterThanOrEqual(9)
    for (const route of calls) {
      const error = await failureOf(() =>
        call(route as never, { params: { sessionId: id, workspaceId: id } } as never),
      )
      expect([route.path, error.message]).toEqual([route.path, 'Authentication token not found.'])
    }
    expect(requests).toEqual([])
  })

  it('shows Failed to fetch without an answer, and that the server is unreachable [AU-20]', async () => {
    globalThis.fetch = async () => {
      throw new TypeError('NetworkError when attempting to fetch resource.')
    }
    const error = await failureOf(() => call(getMe))
    expect([error.message, error.code, error.status]).toEqual(['Failed to fetch', 'network', 0])
    expect(useReachability.getState().isReachable).toBe(false)
    answer(200, {})
    await call(getMe)
    expect(useReachability.getState().isReachable).toBe(true)
  })

  it('rethrows an abort', async () => {
    const control = new AbortController()
    globalThis.fetch = async () => {
      control.abort()
      throw new DOMException('aborted', 'AbortError')
    }
    await expect(call(getMe, { signal: control.signal })).rejects.toThrow('aborted')
  })

  it('keeps the invalid fields and the retry time', async () => {
    answer(
      429,
      { code: 'rate_limited', errors: [{ path: 'email', message: 'bad' }] },
      { 'retry-after': '30' },
    )
    const error = await failureOf(() => call(getMe))
    expect(error.retryAfterSeconds).toBe(30)
    expect(error.fields).toEqual([{ path: 'email', message: 'bad' }])
  })
})
