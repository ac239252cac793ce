import * as z from 'zod/mini'

/** How long a model that thinks may think, from the least to the most. */
export const Effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])
export type Effort = z.infer<typeof Effort>

/** The efforts that people choose from: every model that has an effort has these. */
export const ChosenEffort = z.enum(['low', 'medium', 'high'])
export type ChosenEffort = z.infer<typeof ChosenEffort>

export const Temperature = z.number().check(z.gte(0), z.lte(2))

/** Length of an answer: at most this many words. */
export const AnswerWords = z.int().check(z.gte(20), z.lte(10_000))

/** A setting of a model's calls. */
export const Tuning = z.enum(['effort', 'temperature', 'length'])
export type Tuning = z.infer<typeof Tuning>
