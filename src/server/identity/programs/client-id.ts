import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { isRedirectTo } from './redirect-uri.ts'

/** A program's registration data. The client id is this data, encrypted, so registrations need no storage and cannot fill it. */
const Client = z.object({ kind: z.literal('program'), name: z.string(), redirect_uris: z.array(z.string()) })
export type Client = Pick<z.infer<typeof Client>, 'name' | 'redirect_uris'>

const PREFIX = 'mcp_'

export function writeClientId({ secrets }: Pick<Platform, 'secrets'>, client: Client): string {
  return PREFIX + secrets.seal(JSON.stringify({ kind: 'program', ...client }))
}

/** Returns the program of a client id, or null when this server did not issue it. */
export function readClientId({ secrets }: Pick<Platform, 'secrets'>, id: string): Client | null {
  if (!id.startsWith(PREFIX)) return null
  try {
    return Client.parse(JSON.parse(secrets.open(id.slice(PREFIX.length))))
  } catch {
    return null
  }
}

/** Returns the requesting program if its redirect address is registered. @throws AppError `invalid` */
export function findClient(
  deps: Pick<Platform, 'secrets'>,
  { client_id, redirect_uri }: { client_id: string; redirect_uri: string },
): Client {
  const client = readClientId(deps, client_id)
  if (!client)
    throw new AppError('invalid', 'This program is not known here. Have it connect again from the start.')
  if (!client.redirect_uris.some((known) => isRedirectTo(known, redirect_uri)))
    throw new AppError('invalid', 'The program asks to be answered at an address that is not its own.')
  return client
}
