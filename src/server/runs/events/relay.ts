import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import { type Channels, createChannels, type Frame, type Listener } from './channels.ts'
import { frameOf } from './frames.ts'

/** Receives the frames of other processes as they are sent. */
export type Relay = {
  /** Subscribes to a session's frames from other processes. Frames may be missing, late or duplicated. */
  follow: (sessionId: string, listener: Listener) => () => void
  close: () => void
}

/** Interval at which a process renews its subscriptions, in milliseconds. */
const RENEW_MS = 5_000
/** A process that has not renewed for this long is considered gone. */
const LAPSE_MS = 20_000

const wantedTopic = 'live:wanted'
const framesTopic = (address: string) => `live:frames:${address}`

/** Subscriptions of a process: the full list, or only additions. */
const Wanted = z.object({ from: z.string(), sessions: z.array(z.string()), isAll: z.boolean() })
type Wanted = z.infer<typeof Wanted>

/**
 * Creates the relay between the processes of an installation. Each process announces the sessions it follows and receives
 * only their frames, batched per turn of the event loop. Without a shared bus it relays nothing.
 */
export function createRelay(bus: Bus, channels: Channels): Relay {
  if (!bus.isShared) return { follow: () => () => undefined, close: () => undefined }
  const address = randomUUID()
  const sender = createSender(bus, channels)
  const followed = createChannels()
  const ask = (sessions: string[], isAll: boolean) => {
    bus.publish(wantedTopic, JSON.stringify({ from: address, sessions, isAll } satisfies Wanted))
  }
  const leaveBus = [
    bus.subscribe(wantedTopic, (message) => {
      const { data: wanted } = Wanted.safeParse(JSON.parse(message))
      if (wanted && wanted.from !== address) sender.hear(wanted)
    }),
    bus.subscribe(framesTopic(address), (message) => {
      for (const line of message.split('\n')) {
        const { sessionId, frame } = readLine(line)
        followed.tell(sessionId, frame)
      }
    }),
  ]
  let toldOf = 0
  const renewing = setInterval(() => {
    sender.forgetLapsed()
    const sessions = followed.names()
    if (sessions.length > 0 || toldOf > 0) ask(sessions, true)
    toldOf = sessions.length
  }, RENEW_MS).unref()
  return {
    follow: (sessionId, listener) => {
      const isNew = !followed.has(sessionId)
      const leave = followed.join(sessionId, listener)
      if (isNew) ask([sessionId], false)
      return leave
    },
    close: () => {
      clearInterval(renewing)
      for (const leave of leaveBus) leave()
      sender.close()
    },
  }
}

type Peer = { heardAt: number; lines: string[]; leaving: Map<string, () => void> }

/** Sends the frames of this process to the processes that subscribed to them. */
function createSender(bus: Bus, channels: Channels) {
  const peers = new Map<string, Peer>()
  let isDue = false

  const flush = () => {
    isDue = false
    for (const [address, peer] of peers) {
      if (peer.lines.length === 0) continue
      bus.publish(framesTopic(address), peer.lines.join('\n'))
      peer.lines = []
    }
  }
  const join = (peer: Peer, sessionId: string) =>
    channels.join(sessionId, (frame) => {
      peer.lines.push(lineOf(sessionId, frame))
      if (!isDue) setImmediate(flush)
      isDue = true
    })
  const forget = (peer: Peer, isKept: (sessionId: string) => boolean) => {
    for (const [sessionId, leave] of peer.leaving) {
      if (isKept(sessionId)) continue
      leave()
      peer.leaving.delete(sessionId)
    }
  }
  return {
    hear: ({ from, sessions, isAll }: Wanted) => {
      const peer = peers.get(from) ?? { heardAt: 0, lines: [], leaving: new Map() }
      peers.set(from, peer)
      peer.heardAt = performance.now()
      for (const sessionId of sessions) {
        if (!peer.leaving.has(sessionId)) peer.leaving.set(sessionId, join(peer, sessionId))
      }
      const wanted = new Set(sessions)
      if (isAll) forget(peer, (sessionId) => wanted.has(sessionId))
    },
    forgetLapsed: () => {
      const now = performance.now()
      for (const [address, peer] of peers) {
        if (now - peer.heardAt < LAPSE_MS) continue
        forget(peer, () => false)
        peers.delete(address)
      }
    },
    close: () => {
      flush()
      for (const peer of peers.values()) forget(peer, () => false)
    },
  }
}

/** Encodes a frame as one line: session, id, name and data. JSON contains no line breaks. */
function lineOf(sessionId: string, { id, event, data }: Frame): string {
  return `${sessionId} ${id} ${event.event} ${data}`
}

function readLine(line: string): { sessionId: string; frame: Frame } {
  const [sessionId = '', id, event] = line.split(' ', 3)
  const data = line.slice(`${sessionId} ${id} ${event} `.length)
  return { sessionId, frame: frameOf(Number(id), { ...JSON.parse(data), event } as RunEvent, data) }
}
