import * as z from 'zod/mini'

/** A UUID in text form. */
export const Id = z.uuid()
export const Language = z.enum(['en', 'fr'])
export type Language = z.infer<typeof Language>

/** Text of `min` to `max` characters, taken as it is. */
export const text = (min: number, max: number) => z.string().check(z.minLength(min), z.maxLength(max))

/** Text of `min` to `max` characters, without the white space around it. */
export const trimmed = (min: number, max: number) =>
  z.string().check(z.trim(), z.minLength(min), z.maxLength(max))

/** The answer of a call that only says what happened. */
export const Notice = z.object({ message: z.string() })
export type Notice = z.infer<typeof Notice>

/** A whole number that arrives as text in a query string. */
export const queryInt = ({ min, max, fallback }: { min: number; max: number; fallback: number }) =>
  z._default(z.pipe(z.coerce.number(), z.int().check(z.gte(min), z.lte(max))), fallback)
