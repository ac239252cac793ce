import { lazy } from 'react'

/** The door of citations: cited text, and what it stands for. */
export { CitedText } from './cited-text.tsx'
export { DocumentLink } from './document-link.tsx'
export { PhaseTrack } from './phase-track.tsx'
/** They come with the first card that has sources: chats begin without them. */
export const PassageCarousel = lazy(() => import('./passage-carousel.tsx'))
export const PageCarousel = lazy(() => import('./page-carousel.tsx'))
export const DocumentCarousel = lazy(() => import('./document-carousel.tsx'))
