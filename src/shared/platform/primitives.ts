import * as z from 'zod/mini'
import { cleanLabel, cleanProse } from './labels.ts'

/** A UUID in text form. */
export const Id = z.uuid()
export const Language = z.enum(['en', 'fr'])
export type Language = z.infer<typeof Language>

/** Maximum length. Aborts validation, because zod would otherwise run the remaining checks. */
export const atMost = (max: number) => z.maxLength(max, { abort: true })

/** Text of `min` to `max` characters, unchanged. */
export const text = (min: number, max: number) => z.string().check(atMost(max), z.minLength(min))

/** Text of `min` to `max` characters after trimming. */
export const trimmed = (min: number, max: number) => z.string().check(z.trim(), atMost(max), z.minLength(min))

/** A one-line name: `trimmed`, without invisible characters or direction overrides. */
export const label = (min: number, max: number) =>
  z.string().check(z.trim(), atMost(max), z.overwrite(cleanLabel), z.trim(), z.minLength(min))

/** Text of several lines, cleaned like `label`. */
export const prose = (min: number, max: number) =>
  z.string().check(z.trim(), atMost(max), z.overwrite(cleanProse), z.trim(), z.minLength(min))

/** An object with arbitrary keys of at most `keyMax` characters, at most `most` of them. */
export const record = <Value extends z.core.$ZodType>(most: number, value: Value, keyMax = 200) =>
  z.record(text(0, keyMax), value).check(
    z.refine((entries) => Object.keys(entries).length <= most, {
      ...{ error: `Too big: expected at most ${most} entries`, abort: true, params: { most } },
    }),
  )

/** Maximum body size of a message in bytes: a million characters of three bytes each. */
export const MESSAGE_BODY_BYTES = 3_200_000

/** An answer that only contains a message. */
export const Notice = z.object({ message: z.string() })
export type Notice = z.infer<typeof Notice>

/** A whole number in a query string. */
export const queryInt = ({ min, max, fallback }: { min: number; max: number; fallback: number }) =>
  z._default(z.pipe(z.coerce.number(), z.int().check(z.gte(min), z.lte(max))), fallback)

/** A time zone name of the IANA database. Offsets are rejected, because the database reverses their sign. */
export const TimeZone = z.string().check(atMost(64), z.regex(/^[A-Za-z]\w*(\/[\w+-]+)*$/))
