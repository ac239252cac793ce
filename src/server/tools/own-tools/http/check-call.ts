import { AppError } from '#shared/platform/errors.ts'
import { changesData, type HttpCall, type HttpInput } from '#shared/tools/own-tools/http-call.ts'
import { checkSchema } from '../schemas.ts'
import { checkAddress } from './check-address.ts'
import { readPath } from './keep-paths.ts'

/** A name of a header (RFC 9110, “token”). */
const headerName = /^[\w!#$%&'*+.^`|~-]{1,100}$/
/** Those of the connection are not a tool's to say. */
const reserved = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'expect'],
  ...['keep-alive', 'proxy-authorization', 'proxy-connection', 'content-type', 'cookie'],
])

/**
 * A call as it is kept: its schemas are schemas, and every input has its place.
 * @throws AppError `invalid` with one sentence that says what to change
 */
export function checkCall(call: HttpCall): HttpCall {
  const named = checkAddress(call.address)
  const inputs = call.inputs.map((input) => checkInput(input, call))
  assertUnique(inputs)
  const inPath = new Set(inputs.filter(({ place }) => place === 'path').map(keyOf))
  const missing = named.find((name) => !inPath.has(name))
  if (missing !== undefined)
    throw wrong(`The address names {${missing}}, and there is no input of the path for it.`)
  const unused = [...inPath].find((name) => !named.includes(name))
  if (unused !== undefined)
    throw wrong(`The input ${unused} goes into the path, and the address does not name it.`)
  for (const [name, value] of Object.entries(call.headers)) checkHeader(name, value)
  const { keep, schema } = call.answer
  keep.forEach(readPath)
  const kept = schema && checkSchema(schema, 'The answer')
  return { ...call, inputs, answer: { ...call.answer, schema: kept } }
}

/** What the API calls an input. */
export const keyOf = ({ key, name }: Pick<HttpInput, 'key' | 'name'>): string => key ?? name

function checkInput(input: HttpInput, { method, media }: HttpCall): HttpInput {
  const { name, place } = input
  const schema = checkSchema(input.schema, `The input ${name}`)
  if (place === 'header') checkHeader(keyOf(input), '')
  if (place === 'body' && !changesData(method))
    throw wrong(`A ${method} call has no body: ${name} cannot go there.`)
  if (input.file && (place !== 'body' || media !== 'multipart/form-data'))
    throw wrong(`${name} is a file: only a body of several parts (multipart) has files.`)
  return { ...input, schema, required: place === 'path' || input.required }
}

function assertUnique(inputs: readonly HttpInput[]): void {
  const seen = new Set<string>()
  for (const input of inputs) {
    for (const name of [input.name, `${input.place} ${keyOf(input)}`]) {
      if (seen.has(name)) throw wrong(`There are two inputs ${name}.`)
      seen.add(name)
    }
  }
  const body = inputs.filter(({ place }) => place === 'body')
  const whole = body.find((input) => input.whole)
  if (whole && body.length > 1) throw wrong(`${whole.name} is the whole body: no other input goes there.`)
}

function checkHeader(name: string, value: string): void {
  if (!headerName.test(name)) throw wrong(`“${name}” is no name of a header.`)
  if (reserved.has(name.toLowerCase())) throw wrong(`The header ${name} is written by Atrium.`)
  if (!isHeaderValue(value)) throw wrong(`The header ${name} has a character that headers cannot have.`)
}

/** Printable Latin-1, as it goes over the wire. */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}

const wrong = (sentence: string) => new AppError('invalid', sentence)
