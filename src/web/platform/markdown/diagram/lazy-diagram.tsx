import { lazy } from 'react'

/** A diagram; its renderer is loaded with the first one. */
export const DiagramView = lazy(() =>
  import('./diagram-view.tsx').then((file) => ({ default: file.DiagramView })),
)
