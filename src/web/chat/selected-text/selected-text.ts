import { lazy } from 'react'

/** The actions for a text that a person selects in a reply. */
export const SelectedText = lazy(() => import('./selection-bar.tsx'))
