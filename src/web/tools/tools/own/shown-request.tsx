import type { ShownRequest as Request } from '#shared/tools/own-tools/try-call.ts'
import { Payload } from '../card/payload.tsx'

/** A request as sent, with secrets masked by dots. */
export function ShownRequest({ request: { method, url, headers, body } }: { request: Request }) {
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  return <Payload value={[lines.join('\n'), ...(body === null ? [] : [body])].join('\n\n')} />
}
