import { type ComponentProps, lazy, Suspense } from 'react'
import { useMe } from '../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../platform/lib/me/roles.ts'

const Line = lazy(() =>
  import('./local-servers-line.tsx').then((file) => ({ default: file.LocalServersLine })),
)

/** Offers the model servers of this machine to those who may connect them. */
export function LocalServersLine() {
  const me = useMe()
  if (!me || !isSuperAdmin(me)) return null
  return (
    <Suspense fallback={null}>
      <Line />
    </Suspense>
  )
}

const First = lazy(() => import('./first-connection.tsx').then((file) => ({ default: file.FirstConnection })))

/** The form that connects a provider, for a page of another feature. */
export function FirstConnection(props: ComponentProps<typeof First>) {
  return (
    <Suspense fallback={null}>
      <First {...props} />
    </Suspense>
  )
}
