import type { Platform } from '../../platform/platform.ts'
import { type Announcements, createAnnouncements } from './announcements.ts'
import { type Channels, createChannels } from './channels.ts'
import { createNotes, type Notes } from './notes.ts'
import { createRelay, type Relay } from './relay.ts'
import { createSentFrames, type SentFrames } from './sent-frames.ts'
import { createTicker, type Ticker } from './ticker.ts'

export type { Announcement } from './announcements.ts'
export type { Frame } from './channels.ts'
export { type Beginning, encodeInit, epochOf, firstId, formatInit, formatWire, frameOf } from './frames.ts'
export { loadMissed } from './load-missed.ts'
export { createPublisher, type Publisher } from './publisher.ts'
export { findNewestId, readEvents, removeOldEvents } from './store.ts'

/** Distributes run events to readers in this process, to other processes and to the store. */
export type Events = {
  channels: Channels
  relay: Relay
  sentFrames: SentFrames
  ticker: Ticker
  notes: Notes
  announcements: Announcements
}

export function createEvents({ bus, db, instance, log }: Platform): Events {
  const channels = createChannels()
  return {
    channels,
    relay: createRelay(bus, channels),
    sentFrames: createSentFrames({ db, instance, log }),
    ticker: createTicker(),
    notes: createNotes({ instance }),
    announcements: createAnnouncements({ instance }),
  }
}

/** Subscribes to notes and to announcements of standalone runs from other processes. */
export async function hearOthers({ notes, announcements }: Events): Promise<void> {
  await Promise.all([notes.hear(), announcements.hear()])
}

/** Sends and stores the remaining events. Call it when no run is active. */
export async function closeEvents({ ticker, relay, sentFrames }: Events): Promise<void> {
  ticker.close()
  relay.close()
  await sentFrames.close()
}
