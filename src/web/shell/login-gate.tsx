import { useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { afterLoginPath } from '../lib/last-path.ts'
import { useToken } from '../lib/token.ts'

/** Leaves the login area as soon as somebody has signed in here, for where they came from. */
export function LoginGate({ children }: { children: ReactNode }) {
  const token = useToken()
  const before = useRef(token)
  const navigate = useNavigate()
  const { from } = useLocation().state
  useEffect(() => {
    const hasSignedIn = before.current === null && token !== null
    before.current = token
    if (hasSignedIn) void navigate({ href: afterLoginPath(from), replace: true })
  }, [token, from, navigate])
  return children
}
