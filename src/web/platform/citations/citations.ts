import { lazy } from 'react'

/** Entry of citations: cited text and its sources. */
export { CitedText } from './cited-text.tsx'
export { DocumentLink } from './document-link.tsx'
export { PhaseTrack } from './phase-track.tsx'
/** Loaded with the first card that has sources, because most chats start without one. */
export const PassageCarousel = lazy(() => import('./passage-carousel.tsx'))
export const PageCarousel = lazy(() => import('./page-carousel.tsx'))
export const DocumentCarousel = lazy(() => import('./document-carousel.tsx'))
