import * as z from 'zod/mini'

export const Rating = z.enum(['up', 'down'])
export type Rating = z.infer<typeof Rating>

/** Reasons for a negative rating of a reply. */
export const FeedbackReason = z.enum(['wrong', 'unsupported', 'incomplete', 'off_topic', 'style', 'other'])
export type FeedbackReason = z.infer<typeof FeedbackReason>
