import { lazy } from 'react'

/** How full the window of the model is, and what fills it. */
export const ContextGauge = lazy(() => import('./context-gauge.tsx'))
/** A summary that replaces the messages above it in later prompts. */
export const SummaryNote = lazy(() => import('./summary-note.tsx'))
