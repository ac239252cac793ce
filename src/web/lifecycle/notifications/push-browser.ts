import { deletePush, getPush, putPush } from '#shared/lifecycle/notifications/push.ts'
import { call } from '../../platform/lib/api/call.ts'

const WORKER = '/service-worker.js'
/** The person for whom this browser shows notifications. Removed by signing out. */
const OWNER = 'pushFor'

/** Why a browser cannot show notifications, or null when it can. */
export type PushObstacle = 'insecure' | 'install' | 'unsupported' | 'denied'

/** Returns what keeps this browser from showing notifications. */
export function findObstacle(): PushObstacle | null {
  if (!window.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    // Safari on iOS offers them only to pages on the home screen.
    return /iPhone|iPad/.test(navigator.userAgent) ? 'install' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : null
}

/** The push service of the browser could not be reached. */
export class PushServiceError extends Error {}

/** Asks for permission and subscribes this browser. Returns false when the person refuses. @throws PushServiceError */
export async function turnOnPush(userId: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { public_key } = await call(getPush)
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  const applicationServerKey = Uint8Array.from(
    atob(public_key.replaceAll('-', '+').replaceAll('_', '/')),
    (character) => character.charCodeAt(0),
  )
  const earlier = await pushManager.getSubscription()
  // A subscription with another key, for example from before a reset, receives nothing.
  if (earlier && !isSame(earlier.options.applicationServerKey, applicationServerKey))
    await earlier.unsubscribe()
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey })
    .catch((cause) => {
      throw new PushServiceError('The push service could not be reached.', { cause })
    })
  await store(subscription)
  localStorage.setItem(OWNER, userId)
  return true
}

/** Stops notifications in a browser; `isThis` also withdraws the subscription of this one. */
export async function turnOffPush(id: string, isThis: boolean): Promise<void> {
  await call(deletePush, { query: { id } })
  if (!isThis) return
  localStorage.removeItem(OWNER)
  const registration = await navigator.serviceWorker.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

/** Stores the subscription again under a new sign-in of the same person, because it ended with the earlier one. */
export async function renewPush(userId: string): Promise<void> {
  if (localStorage.getItem(OWNER) !== userId || findObstacle() !== null) return
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  if (subscription) await store(subscription)
}

async function store(subscription: PushSubscription): Promise<void> {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  await call(putPush, { body: { endpoint, keys: { p256dh, auth } } })
}

function isSame(a: ArrayBuffer | null, b: Uint8Array): boolean {
  const bytes = new Uint8Array(a ?? new ArrayBuffer(0))
  return bytes.length === b.length && bytes.every((byte, index) => byte === b[index])
}
