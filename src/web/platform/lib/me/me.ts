import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getMe, type User } from '#shared/identity/accounts/accounts.ts'
import type { Control } from '#shared/platform/controls.ts'
import type { Feature } from '#shared/platform/features.ts'
import { isApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { useSessionExpired } from './session-expired.ts'
import { clearToken, useToken } from './token.ts'

export const ME_POLL_MS = 5000
export const VALIDATION_MS = 60_000

/** The signed-in person as a query, which route guards wait for. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call(getMe, { signal }),
  staleTime: ME_POLL_MS,
})

/** Returns the signed-in person, refetched every 5 s and when the window gains the focus; null until known. */
export function useMe(): User | null {
  const token = useToken()
  const isExpired = useSessionExpired((state) => state.isExpired)
  const { data } = useQuery({
    ...meQuery,
    enabled: token !== null && !isExpired,
    refetchInterval: ME_POLL_MS,
    refetchOnWindowFocus: 'always',
  })
  return token === null ? null : (data ?? null)
}

/** Returns whether a person has what is named: it is no closed feature and no hidden control. */
export function isOpenTo({ closed_features, hidden_controls }: User, name: string): boolean {
  return ![closed_features, hidden_controls].some((names: readonly string[] | undefined) =>
    names?.includes(name),
  )
}

/** Returns whether a feature or control is open to the signed-in person, as last read. */
export function useIsOpen(name: Feature | Control): boolean {
  const { data } = useQuery({ ...meQuery, enabled: false, select: (me) => isOpenTo(me, name) })
  return data ?? true
}

/** Refetches the person immediately after a change. */
export async function refetchMe(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
}

/** Checks every 60 s whether the token is valid. A 401 clears it, unless the popup already asks for a new one. */
export function useTokenValidation(): void {
  const token = useToken()
  useEffect(() => {
    if (token === null) return
    const timer = setInterval(() => void validateToken(), VALIDATION_MS)
    return () => clearInterval(timer)
  }, [token])
}

/** Validates the token once; network errors change nothing. */
export async function validateToken(): Promise<void> {
  try {
    await call(getMe, { quiet: true })
  } catch (error) {
    if (isApiError(error, 401) && !useSessionExpired.getState().isExpired) clearToken()
  }
}
