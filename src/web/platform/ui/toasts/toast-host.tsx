import { lazy, type ReactNode, Suspense } from 'react'
import { useToastsWanted } from './toasts.ts'

/** Preloads the toast container, which could not be loaded without a connection. */
export const warmToasts = () => import('./toast-container.tsx')

const Container = lazy<() => ReactNode>(() => warmToasts().catch(() => ({ default: () => null })))

/** The container of toasts; costs nothing until the first one. */
export function ToastHost() {
  const isWanted = useToastsWanted((state) => state.isWanted)
  if (!isWanted) return null
  return (
    <Suspense fallback={null}>
      <Container />
    </Suspense>
  )
}
