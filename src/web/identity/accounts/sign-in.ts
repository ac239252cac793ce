import { useEffect, useState } from 'react'
import { createToken, exchangeSignOnCode, getSignInOptions } from '#shared/identity/accounts/accounts.ts'
import type { SecondStep, SignedIn } from '#shared/identity/accounts/second-factor.ts'
import { API_BASE } from '#shared/platform/http.ts'
import { type Answer, call } from '../../platform/lib/api/call.ts'
import { isUsable } from '../../platform/lib/last-path.ts'
import { setToken } from '../../platform/lib/me/token.ts'
import { oncePerKey } from '../../platform/lib/once.ts'

type Fetched = Answer<typeof getSignInOptions>
/** A service on the sign-in page: one of the environment, or one set up in the administration. */
export type OfferedService = { id: string; name: string; available: boolean }
export type SignInOptions = Omit<Fetched, 'providers' | 'own_providers'> & { providers: OfferedService[] }

/** Signs in with username and password and stores the token. Returns the second step if one is required, otherwise null. @throws ApiError */
export async function signIn(username: string, password: string): Promise<SecondStep | null> {
  return keepToken(await call(createToken, { body: { username, password } }))
}

const exchange = oncePerKey((code) => call(exchangeSignOnCode, { body: { code } }))

/** Signs in with a sign-on code, like `signIn`. A code is valid once, so repeated calls send it only once. @throws ApiError */
export async function signInWithCode(code: string): Promise<SecondStep | null> {
  return keepToken(await exchange(code))
}

function keepToken(answer: SignedIn): SecondStep | null {
  if ('second_step' in answer) return answer.second_step
  setToken(answer.access_token)
  return null
}

/** Returns the sign-in methods of this installation; null while loading or when the server is unreachable. */
export function useSignInOptions(): SignInOptions | null {
  const [options, setOptions] = useState<SignInOptions | null>(null)
  useEffect(() => {
    const control = new AbortController()
    call(getSignInOptions, { signal: control.signal }).then(
      (fetched) => setOptions(withOwn(fetched)),
      () => null,
    )
    return () => control.abort()
  }, [])
  return options
}

function withOwn({ own_providers: own = [], providers, ...options }: Fetched): SignInOptions {
  return { ...options, providers: [...providers, ...own.map((one) => ({ ...one, available: true }))] }
}

/** Returns the URL that starts a sign-on and returns to the login page, which leads on to `from`. */
export function signOnUrl(provider: string, from: string | null): string {
  const back = new URL('/login', location.origin)
  if (from !== null && isUsable(from)) back.searchParams.set('from', from)
  return `${API_BASE}/login/${provider}?redirect_uri=${encodeURIComponent(back.href)}`
}

/** Returns true when at least one sign-in service is configured. */
export const hasSignOn = (options: SignInOptions | null): boolean =>
  options?.providers.some(({ available }) => available) ?? false
