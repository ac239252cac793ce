import type { ReactNode } from 'react'
import type { User } from '#shared/accounts/accounts.ts'
import { useMe } from '../lib/me.ts'
import { UnknownPath } from './gate.tsx'

/** Shows a view to those who may see it; anybody else is led away as from an unknown path. */
export default function ForRole({
  allows,
  children,
}: {
  allows: (user: User) => boolean
  children: ReactNode
}) {
  const me = useMe()
  if (!me) return null
  return allows(me) ? children : <UnknownPath reason="forbidden" />
}
