import * as z from 'zod'
import {
  ItemRefused,
  type Judgement,
  type Notification,
  type Receiver,
  type Watch,
} from '../../define-connector.ts'
import { isSecret } from '../../watching/same-secret.ts'
import { librariesOf } from './graph-drives.ts'
import type { Graph } from './graph-requests.ts'

/** Graph ends subscriptions to files after 42,300 minutes. */
const SUBSCRIPTION_MS = 42_300 * 60_000
const MAX_PROOF_CHARACTERS = 4096

const Subscription = z.object({ id: z.string(), expirationDateTime: z.coerce.date() })
const Channels = z.array(z.object({ id: z.string(), library: z.string() }))
type Channel = z.infer<typeof Channels>[number]

const Batch = z.object({
  value: z
    .array(z.object({ clientState: z.string().optional(), lifecycleEvent: z.string().optional() }))
    .min(1),
})

/** Subscribes to each library, or renews its subscription, and ends those of other libraries. */
export async function watchGraph(graph: Graph, receiver: Receiver, former: string | null): Promise<Watch> {
  const known = former === null ? [] : Channels.parse(JSON.parse(former))
  const libraries = await librariesOf(graph)
  const channels: Channel[] = []
  let ends_at = new Date(Date.now() + SUBSCRIPTION_MS)
  for (const { id: library } of libraries) {
    const subscribed = known.find((one) => one.library === library)
    const renewed =
      (subscribed && (await renew(graph, subscribed.id))) || (await subscribe(graph, library, receiver))
    channels.push({ id: renewed.id, library })
    if (renewed.expirationDateTime < ends_at) ends_at = renewed.expirationDateTime
  }
  await unsubscribe(
    graph,
    known.filter(({ id }) => !channels.some((one) => one.id === id)),
  )
  return { channels: JSON.stringify(channels), ends_at }
}

export const unwatchGraph = (graph: Graph, channels: string): Promise<void> =>
  unsubscribe(graph, Channels.parse(JSON.parse(channels)))

const end = () => new Date(Date.now() + SUBSCRIPTION_MS).toISOString()

/** Returns null for a subscription that Graph no longer has. */
async function renew(graph: Graph, id: string) {
  const change = { method: 'PATCH', body: { expirationDateTime: end() } } as const
  return unlessGone(() => graph.tell(`/subscriptions/${encodeURIComponent(id)}`, change, Subscription))
}

function subscribe(graph: Graph, library: string, { address, secret }: Receiver) {
  const body = {
    ...{
      changeType: 'updated',
      resource: `/drives/${encodeURIComponent(library)}/root`,
      clientState: secret,
    },
    ...{ notificationUrl: address, lifecycleNotificationUrl: address, expirationDateTime: end() },
  }
  return graph.tell('/subscriptions', { method: 'POST', body }, Subscription)
}

async function unsubscribe(graph: Graph, channels: readonly Channel[]): Promise<void> {
  for (const { id } of channels)
    await unlessGone(() =>
      graph.tell(`/subscriptions/${encodeURIComponent(id)}`, { method: 'DELETE' }, z.unknown()),
    )
}

async function unlessGone<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof ItemRefused && error.reason === 'not_found') return null
    throw error
  }
}

/** Graph proves an address by a text that it wants back. Later notifications carry the secret as `clientState`, each of a batch. */
export function judgeGraph({ query: { validationToken }, body }: Notification, secret: string): Judgement {
  if (typeof validationToken === 'string' && validationToken.length <= MAX_PROOF_CHARACTERS)
    return { echo: validationToken }
  const batch = Batch.safeParse(body)
  if (!batch.success || !batch.data.value.every(({ clientState }) => isSecret(clientState, secret)))
    return 'forged'
  // `missed`: notifications were lost. The others ask for a renewal.
  const isEnding = batch.data.value.some(({ lifecycleEvent = 'missed' }) => lifecycleEvent !== 'missed')
  return isEnding ? 'renew' : 'changed'
}
