/** Slides of the welcome, in order. */
export const slides = ['mission', 'workspace', 'anywhere', 'agents', 'data', 'toolkit', 'ready'] as const
export type Slide = (typeof slides)[number]

/** Duration of a slide transition. */
export const SLIDE_MS = 300
