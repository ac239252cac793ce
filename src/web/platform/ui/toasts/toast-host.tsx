import { lazy, type ReactNode, Suspense } from 'react'
import { useToastsWanted } from './toasts.ts'

/** Fetches the place ahead of the first toast: without a connection it would be too late. */
export const warmToasts = () => import('./toast-container.tsx')

const Container = lazy<() => ReactNode>(() => warmToasts().catch(() => ({ default: () => null })))

/** The place toasts appear in; costs nothing until the first one. */
export function ToastHost() {
  const isWanted = useToastsWanted((state) => state.isWanted)
  if (!isWanted) return null
  return (
    <Suspense fallback={null}>
      <Container />
    </Suspense>
  )
}
