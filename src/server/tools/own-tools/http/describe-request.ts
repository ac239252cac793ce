import { hostOf, type Sending } from '#shared/platform/outward.ts'
import type { HttpCall } from '#shared/tools/own-tools/http-call.ts'
import { writeRequest } from './write-request.ts'

/** Describes the request of a call without its authentication, for an approval. @throws AppError `invalid` */
export function describeRequest(call: HttpCall, input: Record<string, unknown>): Sending {
  const { method, url, headers, body } = writeRequest(call, input)
  const written = call.inputs.some(({ place }) => place === 'cookie') ? ['cookie'] : []
  for (const { place, key, name } of call.inputs)
    if (place === 'header') written.push((key ?? name).toLowerCase())
  const shown = written.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
  return { hosts: [hostOf(url)], method, address: url, headers: Object.fromEntries(shown), body }
}
