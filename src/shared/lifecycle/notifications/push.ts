import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** Maximum browsers per person. A further one replaces the oldest. */
export const MAX_BROWSERS = 20

/** A browser that shows the caller's notifications. */
export const PushBrowser = z.object({
  id: Id,
  /** Browser and system by its user agent; null when unknown. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** It is the browser of this sign-in. */
  current: z.boolean(),
  created_at: z.string(),
})
export type PushBrowser = z.infer<typeof PushBrowser>

export const getPush = route({
  method: 'GET',
  path: '/notifications/push',
  access: 'user',
  summary:
    'Browsers that show the caller’s notifications, and the key with which another one subscribes (VAPID)',
  answer: z.object({
    /** Public key of this installation, base64url, for `applicationServerKey`. */
    public_key: z.string(),
    browsers: z.array(PushBrowser),
  }),
})

/** Base64url of 65 and of 16 bytes. */
const PublicKey = z.string().check(z.maxLength(88, { abort: true }), z.regex(/^[\w-]{87}=?$/))
const AuthSecret = z.string().check(z.maxLength(24, { abort: true }), z.regex(/^[\w-]{22}={0,2}$/))
const Endpoint = z.string().check(
  z.maxLength(2_000, { abort: true }),
  z.refine((address) => /^https:\/\/\S+$/.test(address) && URL.canParse(address), {
    error: 'must begin with https://',
  }),
)

/** The body is what `PushSubscription.toJSON()` returns in a browser. */
export const putPush = route({
  method: 'PUT',
  path: '/notifications/push',
  access: 'user',
  summary: 'Show the caller’s notifications in a browser, until its sign-in ends',
  body: z.object({
    endpoint: Endpoint,
    keys: z.object({ p256dh: PublicKey, auth: AuthSecret }),
  }),
  answer: PushBrowser,
})

export const deletePush = route({
  method: 'DELETE',
  path: '/notifications/push',
  access: 'user',
  summary:
    'No longer show notifications in one browser of the caller. Ids of other people’s browsers change nothing',
  query: z.object({ id: Id }),
  status: 204,
})

export const tryPush = route({
  method: 'POST',
  path: '/notifications/push/try',
  access: 'user',
  summary: 'Send a test notification to every browser of the caller',
  fails: ['conflict', 'unavailable'],
  status: 204,
})
