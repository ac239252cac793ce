import * as z from 'zod/mini'
import { cleanLabel, cleanProse } from './labels.ts'

/** A UUID in text form. */
export const Id = z.uuid()
export const Language = z.enum(['en', 'fr'])
export type Language = z.infer<typeof Language>

/** A longest length that ends the check: otherwise zod goes on with the next one. */
export const atMost = (max: number) => z.maxLength(max, { abort: true })

/** Text of `min` to `max` characters, taken as it is. */
export const text = (min: number, max: number) => z.string().check(atMost(max), z.minLength(min))

/** Text of `min` to `max` characters, without the white space around it. */
export const trimmed = (min: number, max: number) => z.string().check(z.trim(), atMost(max), z.minLength(min))

/** A name that people read, on one line: `trimmed` without signs that are invisible or turn text around. */
export const label = (min: number, max: number) =>
  z.string().check(z.trim(), atMost(max), z.overwrite(cleanLabel), z.trim(), z.minLength(min))

/** The same for text of several lines. */
export const prose = (min: number, max: number) =>
  z.string().check(z.trim(), atMost(max), z.overwrite(cleanProse), z.trim(), z.minLength(min))

/** An object of any names, at most `most` of them. */
export const record = <Value extends z.core.$ZodType>(most: number, value: Value) =>
  z.record(text(0, 200), value).check(
    z.refine((entries) => Object.keys(entries).length <= most, {
      ...{ error: `Too big: expected at most ${most} entries`, abort: true, params: { most } },
    }),
  )

/** The most bytes of a body that holds a message: a million characters of three bytes each. */
export const MESSAGE_BODY_BYTES = 3_200_000

/** The answer of a call that only says what happened. */
export const Notice = z.object({ message: z.string() })
export type Notice = z.infer<typeof Notice>

/** A whole number that arrives as text in a query string. */
export const queryInt = ({ min, max, fallback }: { min: number; max: number; fallback: number }) =>
  z._default(z.pipe(z.coerce.number(), z.int().check(z.gte(min), z.lte(max))), fallback)

/** A name of the IANA database; an offset would mean its opposite to the database. */
export const TimeZone = z.string().check(atMost(64), z.regex(/^[A-Za-z]\w*(\/[\w+-]+)*$/))
