import { useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { afterLoginPath } from '../../platform/lib/last-path.ts'
import { useToken } from '../../platform/lib/me/token.ts'
import { OriginPath } from '../../platform/lib/origin-path.ts'

/** Leaves the login area as soon as someone has signed in here, for the page they came from. */
export function LoginGate({ children }: { children: ReactNode }) {
  const token = useToken()
  const before = useRef(token)
  const navigate = useNavigate()
  // Navigation within the login area preserves where the visitor came from.
  const { from = null } = useLocation().state
  const origin = useRef(from)
  if (from !== null) origin.current = from
  useEffect(() => {
    // A person whose session expired still has the old token.
    const hasSignedIn = token !== null && token !== before.current
    before.current = token
    if (hasSignedIn) void navigate({ href: afterLoginPath(origin.current), replace: true })
  }, [token, navigate])
  return <OriginPath value={origin.current}>{children}</OriginPath>
}
