import { load } from 'js-yaml'
import { AppError } from '#shared/platform/errors.ts'
import { cleanProse } from '#shared/platform/labels.ts'
import { createJsonScanner, type JsonBounds } from '../../../platform/outbound/foreign/json-scanner.ts'
import { isRecord } from '../schemas.ts'

/** A parsed description whose content is not validated. */
export type Description = Record<string, unknown>

/** The largest published descriptions have half as many values. */
const JSON_BOUNDS: JsonBounds = { values: 1_000_000, depth: 200 }
/** YAML text has no quotes, so commas and brackets in it count too. */
const YAML_BOUNDS: JsonBounds = { values: 1_000_000, depth: 1_000 }

/** @throws AppError `invalid` with its first error */
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
      `OpenAPI ${parsed.openapi.slice(0, 10)} is not supported: it must be 3.0 or 3.1.`,
    )
  return parsed
}

function parse(text: string): unknown {
  const start = text.trimStart().slice(0, 1)
  // Usually an error page.
  if (start === '<') throw new AppError('invalid', 'This is a web page, not an OpenAPI description.')
  try {
    // YAML nests by the same characters in its flow form, and by indentation in its block form.
    createJsonScanner(start === '{' ? JSON_BOUNDS : YAML_BOUNDS).scan(Buffer.from(text))
    return start === '{' ? JSON.parse(text) : load(text)
  } catch (error) {
    if (error instanceof AppError)
      throw new AppError('invalid', error.detail.replace('The answer', 'The description'))
    throw new AppError('invalid', 'This is neither valid JSON nor valid YAML.')
  }
}

const none = () =>
  new AppError('invalid', 'This is not an OpenAPI description: it does not state its version.')

/** Maximum chained references. */
const MAX_HOPS = 20

/**
 * Resolves a part of a description, or the local part it references. Nothing outside is ever read.
 * @throws AppError `invalid` for an external or a missing reference
 */
export function follow(description: Description, part: unknown): unknown {
  let found = part
  for (let hops = 0; isRecord(found) && typeof found.$ref === 'string'; hops += 1) {
    if (hops >= MAX_HOPS) throw new AppError('invalid', 'its references form a circle')
    found = lookUp(description, found.$ref)
  }
  return found
}

function lookUp(description: Description, ref: string): unknown {
  const shown = ref.slice(0, 100)
  if (!ref.startsWith('#/'))
    throw new AppError('invalid', `it refers to ${shown}, but only this description is read`)
  let found: unknown = description
  for (const step of ref.slice(2).split('/')) {
    const name = decode(step).replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, name)
    if (!isThere) throw new AppError('invalid', `it refers to ${shown}, which does not exist`)
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
