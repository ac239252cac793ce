import { lazy, Suspense } from 'react'
import { useToastsWanted } from './toasts.ts'

const Container = lazy(() => import('./toast-container.tsx'))

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
