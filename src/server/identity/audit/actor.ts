import type { FastifyRequest } from 'fastify'
import type { User } from '#shared/identity/accounts/accounts.ts'

/** Who did something, under the name of that time, and from which address. */
export type Actor = { id: string | null; name: string; address: string | null }

/** A signed-in person as the one who did it. */
export function actorOf(
  { id, username, full_name }: Pick<User, 'id' | 'username' | 'full_name'>,
  { ip }: Pick<FastifyRequest, 'ip'>,
): Actor {
  return { id, name: full_name?.trim() || username, address: ip.replace(/^::ffff:(?=\d+\.)/i, '') }
}
