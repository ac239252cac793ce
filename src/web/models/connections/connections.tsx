import { type ComponentProps, lazy, Suspense } from 'react'
import { useMe } from '../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../platform/lib/me/roles.ts'

const Line = lazy(() =>
  import('./local-servers-line.tsx').then((file) => ({ default: file.LocalServersLine })),
)

/** Offers local model servers to users who may connect them. */
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

/** Form for the first connection, for use by other features. */
export function FirstConnection(props: ComponentProps<typeof First>) {
  return (
    <Suspense fallback={null}>
      <First {...props} />
    </Suspense>
  )
}

const Fallback = lazy(() =>
  import('./fallback-select.tsx').then((file) => ({ default: file.FallbackSelect })),
)

/** Selects the fallback of a model, for use by other features. */
export function FallbackSelect(props: ComponentProps<typeof Fallback>) {
  return (
    <Suspense fallback={null}>
      <Fallback {...props} />
    </Suspense>
  )
}
