import { lazy } from 'react'

/** A diagram; what draws it is loaded with the first one. */
export const DiagramView = lazy(() =>
  import('./diagram-view.tsx').then((file) => ({ default: file.DiagramView })),
)
