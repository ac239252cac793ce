import { AppError } from '#shared/platform/errors.ts'
import { changesData, type HttpCall, type HttpInput } from '#shared/tools/own-tools/http-call.ts'
import { checkSchema } from '../schemas.ts'
import { checkAddress } from './check-address.ts'
import { readPath } from './keep-paths.ts'

/** Name of a header (RFC 9110, “token”). */
const headerName = /^[\w!#$%&'*+.^`|~-]{1,100}$/
/** Headers of the connection, which a tool must not set. */
const reserved = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'expect'],
  ...['keep-alive', 'proxy-authorization', 'proxy-connection', 'content-type', 'cookie'],
])

/**
 * Returns a validated call: its schemas are valid, and every input is used.
 * @throws AppError `invalid` with one sentence that says what to change
 */
export function checkCall(call: HttpCall): HttpCall {
  const named = checkAddress(call.address)
  const inputs = call.inputs.map((input) => checkInput(input, call))
  assertUnique(inputs)
  const inPath = new Set(inputs.filter(({ place }) => place === 'path').map(keyOf))
  const missing = named.find((name) => !inPath.has(name))
  if (missing !== undefined)
    throw wrong(`The address contains {${missing}}, but there is no path input of this name.`)
  const unused = [...inPath].find((name) => !named.includes(name))
  if (unused !== undefined)
    throw wrong(`The input ${unused} belongs in the path, but the address does not contain it.`)
  for (const [name, value] of Object.entries(call.headers)) checkHeader(name, value)
  const { keep, schema } = call.answer
  keep.forEach(readPath)
  const kept = schema && checkSchema(schema, 'The answer')
  return { ...call, inputs, answer: { ...call.answer, schema: kept } }
}

/** Returns the API's name for an input. */
export const keyOf = ({ key, name }: Pick<HttpInput, 'key' | 'name'>): string => key ?? name

function checkInput(input: HttpInput, { method, media }: HttpCall): HttpInput {
  const { name, place } = input
  const schema = checkSchema(input.schema, `The input ${name}`)
  if (place === 'header') checkHeader(keyOf(input), '')
  if (place === 'body' && !changesData(method))
    throw wrong(`A ${method} call has no body: ${name} cannot go there.`)
  if (input.file && (place !== 'body' || media !== 'multipart/form-data'))
    throw wrong(`${name} is a file: only a multipart body can have files.`)
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
  if (whole && body.length > 1)
    throw wrong(`${whole.name} is the whole body, so no other input can go there.`)
}

function checkHeader(name: string, value: string): void {
  if (!headerName.test(name)) throw wrong(`“${name}” is not a valid name of a header.`)
  if (reserved.has(name.toLowerCase())) throw wrong(`The header ${name} is set by Atrium.`)
  if (!isHeaderValue(value)) throw wrong(`The header ${name} has a character that is not allowed in headers.`)
}

/** Printable Latin-1, as sent over the network. */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}

const wrong = (sentence: string) => new AppError('invalid', sentence)
