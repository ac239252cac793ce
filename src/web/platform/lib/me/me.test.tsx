import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queryClient, refetchOnFocus } from '../api/query-client.ts'
import { useMe, useTokenValidation, validateToken } from './me.ts'
import { raiseSessionExpired, settleSessionExpired, useSessionExpired } from './session-expired.ts'
import { getToken, setToken } from './token.ts'

let calls = 0
let status = 200

function Page() {
  useTokenValidation()
  return <p>{useMe()?.username ?? 'nobody'}</p>
}

async function open() {
  render(
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>,
  )
  await pass(1)
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => {
  vi.useFakeTimers()
  calls = 0
  status = 200
  settleSessionExpired()
  setToken('abc')
  globalThis.fetch = async () => {
    calls += 1
    return Response.json(status === 200 ? { username: 'claire' } : { code: 'unauthenticated' }, { status })
  }
})

afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.useRealTimers()
})

describe('signed-in person', () => {
  it('is refetched every 5 s [AU-28]', async () => {
    await open()
    expect(screen.getByText('claire')).toBeTruthy()
    expect(calls).toBe(1)
    await pass(5000)
    expect(calls).toBe(2)
    await pass(5000)
    expect(calls).toBe(3)
  })

  it('is not refetched while the popup waits for a new token [AU-28]', async () => {
    await open()
    act(() => raiseSessionExpired())
    await pass(20_000)
    expect(calls).toBe(1)
  })

  it('is refetched when the window gains the focus, once per burst, after 500 ms [AU-30]', async () => {
    refetchOnFocus()
    await open()
    for (let burst = 0; burst < 5; burst += 1) window.dispatchEvent(new Event('focus'))
    await pass(400)
    expect(calls).toBe(1)
    await pass(200)
    expect(calls).toBe(2)
  })

  it('validates the token every 60 s with GET /users/me [AU-29, G-04]', async () => {
    await open()
    act(() => raiseSessionExpired())
    await pass(58_000)
    expect(calls).toBe(1)
    await pass(2000)
    expect(calls).toBe(2)
  })

  it('clears an invalid token without the popup [AU-29, G-03]', async () => {
    status = 401
    await validateToken()
    expect(getToken()).toBeNull()
    expect(useSessionExpired.getState().isExpired).toBe(false)
  })

  it('leaves the token to an open popup [G-03, AU-29]', async () => {
    await open()
    status = 401
    await pass(70_000)
    expect(useSessionExpired.getState().isExpired).toBe(true)
    expect(getToken()).toBe('abc')
  })

  it('keeps the token if the network fails [AU-29]', async () => {
    await open()
    globalThis.fetch = async () => {
      throw new TypeError('Failed to fetch')
    }
    await pass(130_000)
    expect(getToken()).toBe('abc')
  })
})
