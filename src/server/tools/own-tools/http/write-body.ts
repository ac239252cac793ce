import { randomUUID } from 'node:crypto'
import { AppError } from '#shared/platform/errors.ts'
import type { HttpCall, HttpInput } from '#shared/tools/own-tools/http-call.ts'
import { keyOf } from './check-call.ts'
import { textOf, writePairs } from './write-input.ts'

export type GivenInput = { input: HttpInput; value: unknown }
/** A body and its media type; null if there is none. */
export type Body = { type: string; text: string } | null

/** Builds the body of a call from its body inputs. */
export function writeBody({ media }: Pick<HttpCall, 'media'>, given: readonly GivenInput[]): Body {
  if (given.length === 0) return null
  const whole = given.find(({ input }) => input.whole)
  switch (media) {
    case 'application/json':
      return { type: media, text: JSON.stringify(whole ? whole.value : asObject(given)) }
    case 'application/x-www-form-urlencoded': {
      const pairs = given.flatMap(({ input, value }) => writePairs(input, value))
      return { type: media, text: new URLSearchParams(pairs).toString() }
    }
    case 'multipart/form-data':
      return writeParts(given)
    case 'text/plain':
      return { type: `${media}; charset=utf-8`, text: given.map(({ value }) => textOf(value)).join('\n') }
    default:
      return media satisfies never
  }
}

function asObject(given: readonly GivenInput[]): Record<string, unknown> {
  return Object.fromEntries(given.map(({ input, value }) => [keyOf(input), value]))
}

/** RFC 7578. A list becomes one part per entry; an object becomes a JSON part. */
function writeParts(given: readonly GivenInput[]): Body {
  const boundary = `atrium-${randomUUID()}`
  const parts = given.flatMap(({ input, value }) => {
    const values = Array.isArray(value) ? value : [value]
    return values.map((one) => writePart(input, one))
  })
  const text = [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--\r\n`].join('')
  return { type: `multipart/form-data; boundary=${boundary}`, text }
}

function writePart(input: HttpInput, value: unknown): string {
  const name = quote(keyOf(input))
  if (input.file) {
    const { name: fileName, content } = readFile(input, value)
    return `content-disposition: form-data; name="${name}"; filename="${quote(fileName)}"\r\ncontent-type: text/plain; charset=utf-8\r\n\r\n${content}`
  }
  const isJson = typeof value === 'object' && value !== null
  const type = isJson ? 'content-type: application/json\r\n' : ''
  return `content-disposition: form-data; name="${name}"\r\n${type}\r\n${textOf(value)}`
}

/** A file given by a model: a text, or its name and its text. */
function readFile({ name }: HttpInput, value: unknown): { name: string; content: string } {
  if (typeof value === 'string') return { name: `${name}.txt`, content: value }
  const { filename, content } = (value ?? {}) as Record<string, unknown>
  if (typeof content !== 'string') throw new AppError('invalid', `${name} needs content.`)
  return { name: typeof filename === 'string' && filename !== '' ? filename : `${name}.txt`, content }
}

/** Quotes names as browsers do (HTML, “multipart/form-data encoding algorithm”). */
function quote(name: string): string {
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22')
}
