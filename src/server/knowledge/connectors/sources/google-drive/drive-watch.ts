import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import {
  ItemRefused,
  type Judgement,
  type Notification,
  type Receiver,
  type Watch,
} from '../../define-connector.ts'
import { isSecret } from '../../watching/same-secret.ts'
import type { Drive } from './drive-requests.ts'

/** Google ends channels of changes after a week. */
const CHANNEL_MS = 7 * 86_400_000
/** Shared drives that are watched. The others are read at the interval. */
const MAX_DRIVES = 20

const Start = z.object({ startPageToken: z.string() })
const Channel = z.object({ id: z.string(), resourceId: z.string(), expiration: z.coerce.number() })
const Channels = z.array(z.object({ id: z.string(), resourceId: z.string() }))

/** Opens a channel for My Drive and for each shared drive, then closes the former ones: Google does not extend a channel. */
export async function watchDrive(
  drive: Drive,
  { address, secret }: Receiver,
  former: string | null,
): Promise<Watch> {
  const opened: z.infer<typeof Channel>[] = []
  const drives = (await drive.sharedDrives()).slice(0, MAX_DRIVES)
  for (const id of [null, ...drives.map((one) => one.id)]) {
    const place = { supportsAllDrives: 'true', ...(id && { driveId: id, includeItemsFromAllDrives: 'true' }) }
    const { startPageToken: pageToken } = await drive.ask('/changes/startPageToken', place, Start)
    const channel = { id: randomUUID(), type: 'web_hook', address, token: secret }
    const body = { ...channel, expiration: String(Date.now() + CHANNEL_MS) }
    opened.push(await drive.tell('/changes/watch', { ...place, pageToken }, body, Channel))
  }
  if (former !== null) await unwatchDrive(drive, former)
  const ends_at = new Date(Math.min(...opened.map(({ expiration }) => expiration)))
  return { channels: JSON.stringify(opened.map(({ id, resourceId }) => ({ id, resourceId }))), ends_at }
}

/** Closes channels. One that Google no longer knows has ended. */
export async function unwatchDrive(drive: Drive, channels: string): Promise<void> {
  for (const channel of Channels.parse(JSON.parse(channels)))
    await drive.tell('/channels/stop', {}, channel, z.unknown()).catch((error) => {
      if (!(error instanceof ItemRefused)) throw error
    })
}

/** Google sends the token of the channel in a header. The first notification only says that the channel is open. */
export function judgeDrive({ headers }: Notification, secret: string): Judgement {
  if (!isSecret(headers['x-goog-channel-token'], secret)) return 'forged'
  return headers['x-goog-resource-state'] === 'sync' ? 'nothing' : 'changed'
}
