import { load } from 'js-yaml'
import { AppError } from '#shared/platform/errors.ts'
import { cleanProse } from '#shared/platform/labels.ts'
import { createJsonScanner, type JsonBounds } from '../../../platform/outbound/foreign/json-scanner.ts'
import { isRecord } from '../schemas.ts'

/** A description as it was parsed: nothing of it is known to be right. */
export type Description = Record<string, unknown>

/** The largest descriptions that are published have half as many values. */
const JSON_BOUNDS: JsonBounds = { values: 1_000_000, depth: 200 }
/** Its texts stand without quotes: commas and brackets in them count as well. */
const YAML_BOUNDS: JsonBounds = { values: 1_000_000, depth: 1_000 }

/** @throws AppError `invalid` with what is wrong with it */
export function parseDescription(text: string): Description {
  const parsed = parse(text.replace(/^\ufeff/, ''))
  if (!isRecord(parsed)) throw none()
  if (typeof parsed.swagger === 'string')
    throw new AppError(
      'invalid',
      `This is a Swagger ${parsed.swagger.slice(0, 5)} description. Convert it to OpenAPI 3 first.`,
    )
  if (typeof parsed.openapi !== 'string') throw none()
  if (!/^3\.[01]\b/.test(parsed.openapi))
    throw new AppError(
      'invalid',
      `OpenAPI ${parsed.openapi.slice(0, 10)} is not understood: it must be 3.0 or 3.1.`,
    )
  return parsed
}

function parse(text: string): unknown {
  const start = text.trimStart().slice(0, 1)
  // A page that says that something was not found, most of the time.
  if (start === '<') throw new AppError('invalid', 'This is a web page, not an OpenAPI description.')
  try {
    // YAML in its flow form nests by the same signs; in its block form by its indent.
    createJsonScanner(start === '{' ? JSON_BOUNDS : YAML_BOUNDS).scan(Buffer.from(text))
    return start === '{' ? JSON.parse(text) : load(text)
  } catch (error) {
    if (error instanceof AppError)
      throw new AppError('invalid', error.detail.replace('The answer', 'The description'))
    throw new AppError('invalid', 'This is neither JSON nor YAML that can be read.')
  }
}

const none = () =>
  new AppError('invalid', 'This is no OpenAPI description: it does not say which version it is of.')

/** References that lead on and on. */
const MOST_HOPS = 20

/**
 * A part of a description, or what it refers to within it. Nothing outside is ever read.
 * @throws AppError `invalid` for a reference to elsewhere, or to nothing
 */
export function follow(description: Description, part: unknown): unknown {
  let found = part
  for (let hops = 0; isRecord(found) && typeof found.$ref === 'string'; hops += 1) {
    if (hops >= MOST_HOPS) throw new AppError('invalid', 'its references lead round in a circle')
    found = lookUp(description, found.$ref)
  }
  return found
}

function lookUp(description: Description, ref: string): unknown {
  const shown = ref.slice(0, 100)
  if (!ref.startsWith('#/'))
    throw new AppError('invalid', `it refers to ${shown}, and only this description is read`)
  let found: unknown = description
  for (const step of ref.slice(2).split('/')) {
    const name = decode(step).replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, name)
    if (!isThere) throw new AppError('invalid', `it refers to ${shown}, which is not there`)
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const textIn = (value: unknown, most: number): string =>
  typeof value === 'string' ? cleanProse(value.trim().slice(0, most)) : ''
