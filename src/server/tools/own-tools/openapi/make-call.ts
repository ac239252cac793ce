import { AppError } from '#shared/platform/errors.ts'
import {
  changesData,
  HttpCall,
  type HttpInput,
  InputPlace,
  InputStyle,
  MAX_INPUTS_PER_CALL,
} from '#shared/tools/own-tools/http-call.ts'
import { originOf } from '../http/check-address.ts'
import { checkCall } from '../http/check-call.ts'
import { isRecord } from '../schemas.ts'
import { type Description, follow, textIn } from './description.ts'
import { findOperations } from './find-operations.ts'
import { readBodyInputs } from './make-body.ts'
import { schemaFor } from './schema-for.ts'

export type MadeCall = { key: string; name: string; description: string; call: HttpCall }

/** Converts an operation to a call of a server. @throws AppError `invalid` with the reason it cannot be converted */
export function makeCall(description: Description, key: string, server: string): MadeCall {
  const found = findOperations(description).find((one) => one.key === key)
  if (!found) throw new AppError('invalid', `The description has no operation ${key.slice(0, 100)}.`)
  const { method, path, operation, item } = found
  const parameters = readParameters(description, [item.parameters, operation.parameters])
  const body = changesData(method) ? readBodyInputs(description, operation.requestBody) : { inputs: [] }
  const inputs = nameApart([...parameters, ...body.inputs])
  const call = checkCall(
    HttpCall.parse({
      method,
      address: `${server.replace(/\/$/, '')}${path}`,
      inputs: fewest(inputs),
      ...('media' in body && { media: body.media }),
    }),
  )
  if (originOf(call) !== originOf({ address: server }))
    throw new AppError('invalid', 'its path leads to another server')
  const words = [textIn(operation.summary, 500), textIn(operation.description, 2_000)]
  const name = textIn(operation.summary, 100) || textIn(operation.operationId, 100) || key.slice(0, 100)
  return { key, name, description: [...new Set(words)].filter(Boolean).join('\n\n') || key, call }
}

/** Headers that are not parameters (OpenAPI, “Parameter Object”), and those of the connection. */
const ignored = new Set([
  'accept',
  'content-type',
  'authorization',
  'cookie',
  'host',
  'content-length',
  'expect',
])

/** Merges the parameters of the path and of the operation, which override them. */
function readParameters(description: Description, groups: unknown[]): HttpInput[] {
  const read = new Map<string, HttpInput>()
  for (const part of groups.flatMap((group) => (Array.isArray(group) ? group : []))) {
    const parameter = follow(description, part)
    if (!isRecord(parameter)) continue
    const key = textIn(parameter.name, 200)
    const place = InputPlace.safeParse(parameter.in)
    if (key === '' || !place.success || place.data === 'body') continue
    if (place.data === 'header' && ignored.has(key.toLowerCase())) continue
    read.set(`${place.data} ${key}`, readParameter(description, parameter, { key, place: place.data }))
  }
  return [...read.values()]
}

function readParameter(
  description: Description,
  parameter: Record<string, unknown>,
  { key, place }: Pick<HttpInput, 'place'> & { key: string },
): HttpInput {
  const { schema, content, style, explode, required, description: words } = parameter
  const [media] = isRecord(content) ? Object.values(content) : []
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple'
  const written = InputStyle.safeParse(media ? 'json' : (style ?? usual))
  if (!written.success) throw new AppError('invalid', `${key} uses the style “${String(style).slice(0, 30)}”`)
  return {
    ...{ name: key, key, place, required: required === true || place === 'path' },
    description: textIn(words, 1_000),
    schema: schemaFor(description, isRecord(media) ? media.schema : schema, key),
    style: written.data,
    explode:
      typeof explode === 'boolean' ? explode : written.data === 'form' || written.data === 'deepObject',
  }
}

/** Makes input names unique and valid for models. Names used in two places get their place as a suffix. */
function nameApart(inputs: HttpInput[]): HttpInput[] {
  const taken = new Set<string>()
  return inputs.map((input) => {
    const plain =
      input.name
        .replace(/[^\w-]+/g, '_')
        .replace(/^[^A-Za-z_]+/, '_')
        .slice(0, 50) || 'input'
    const tries = [
      plain,
      `${input.place}_${plain}`,
      ...Array.from({ length: 99 }, (_, n) => `${plain}_${n + 2}`),
    ]
    const name = tries.find((one) => !taken.has(one)) ?? plain
    taken.add(name)
    return { ...input, name }
  })
}

/** Returns the maximum number of inputs, required ones first, in their order. */
function fewest(inputs: HttpInput[]): HttpInput[] {
  if (inputs.length <= MAX_INPUTS_PER_CALL) return inputs
  const needed = inputs.filter(({ required }) => required)
  const room = MAX_INPUTS_PER_CALL - needed.length
  const further = new Set(inputs.filter(({ required }) => !required).slice(0, Math.max(0, room)))
  return inputs.filter((input) => input.required || further.has(input))
}
