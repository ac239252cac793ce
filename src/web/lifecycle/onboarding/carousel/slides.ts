/** The slides of the welcome, in their order. */
export const slides = ['mission', 'workspace', 'anywhere', 'agents', 'data', 'toolkit', 'ready'] as const
export type Slide = (typeof slides)[number]

/** How long one slide takes to give way to another. */
export const SLIDE_MS = 300
