import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { API_BASE } from '#shared/platform/http.ts'
import type { Platform } from '../../platform/platform.ts'
import { hashSecret, newSecret } from './tokens/access-token-store.ts'

const cookieName = 'atrium_device'
const day = 86_400_000
const lifeDays = 180
/** Maximum known devices per user. The least recently used is dropped. */
const mostDevices = 10

/** Returns the device secret of the browser, or null. It cannot sign anyone in. */
export function readDevice(request: FastifyRequest): string | null {
  const kept = fastifyCookie.parse(request.headers.cookie ?? '')[cookieName]
  return kept && /^[\w-]{43}$/.test(kept) ? kept : null
}

/** Sets the device secret as a cookie. */
export function giveDevice(
  deps: Pick<Platform, 'publicUrl'>,
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
) {
  const cookie = fastifyCookie.serialize(cookieName, secret, {
    ...{ path: API_BASE, httpOnly: true, sameSite: 'strict' },
    secure: request.protocol === 'https' || deps.publicUrl().startsWith('https:'),
    maxAge: (lifeDays * day) / 1000,
  })
  reply.header('set-cookie', cookie)
}

/** Returns the hash of a known device of this user, or null. */
export async function findDevice(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  secret: string | null,
): Promise<Buffer | null> {
  if (!secret) return null
  const known = await db
    .selectFrom('known_devices')
    .select('device_hash')
    .where('device_hash', '=', hashSecret(secret))
    .where('user_id', '=', userId)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()
  return known?.device_hash ?? null
}

/** Stores the device under a new secret after a sign-in. Other users of the browser stay known. */
export async function rememberDevice(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userId: string,
  before: string | null,
): Promise<string> {
  const secret = newSecret()
  const device_hash = hashSecret(secret)
  const now = clock.now()
  const times = { last_used_at: now, expires_at: new Date(now.getTime() + lifeDays * day) }
  await db.transaction().execute(async (trx) => {
    if (before) {
      const old = hashSecret(before)
      await trx.updateTable('known_devices').set({ device_hash }).where('device_hash', '=', old).execute()
    }
    await trx
      .insertInto('known_devices')
      .values({ device_hash, user_id: userId, ...times })
      .onConflict((conflict) => conflict.columns(['device_hash', 'user_id']).doUpdateSet(times))
      .execute()
    const newest = trx
      .selectFrom('known_devices')
      .select('device_hash')
      .where('user_id', '=', userId)
      .orderBy('last_used_at', 'desc')
      .orderBy('device_hash')
      .limit(mostDevices)
    await trx
      .deleteFrom('known_devices')
      .where('user_id', '=', userId)
      .where('device_hash', 'not in', newest)
      .execute()
  })
  return secret
}

/** Removes all known devices of a user except the given one. */
export async function forgetDevices(
  { db }: Pick<Platform, 'db'>,
  userId: string,
  except: string | null = null,
): Promise<void> {
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .$if(except !== null, (query) => query.where('device_hash', '!=', hashSecret(except!)))
    .execute()
}
