import type { FastifyRequest } from 'fastify'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { plainAddress } from '#shared/identity/networks/ip.ts'

/** The author of an action, with the name at that time and the IP address. */
export type Actor = { id: string | null; name: string; address: string | null }

/** Returns a signed-in user as the actor. */
export function actorOf(
  { id, username, full_name }: Pick<User, 'id' | 'username' | 'full_name'>,
  { ip }: Pick<FastifyRequest, 'ip'>,
): Actor {
  return { id, name: full_name?.trim() || username, address: plainAddress(ip) }
}
