import {
  type AddressSeen,
  BEAT_MS,
  BEATS,
  getAddressSeen,
  streamBeats,
} from '#shared/lifecycle/setup/setup.ts'
import { call, openRoute } from '../../../platform/lib/api/call.ts'

/** A finding, named as in the translations. `isGood` is false when action is needed. */
export type Finding = {
  about: 'address' | 'encryption' | 'arrival' | 'proxy' | 'streams'
  found: string
  isGood: boolean
}

export type AddressChecked = AddressSeen & { findings: Finding[] }

/** Checks from this browser how requests to this page arrive, and whether streamed text is buffered. */
export async function checkAddress(here: URL, signal: AbortSignal): Promise<AddressChecked> {
  const [seen, streams] = await Promise.all([call(getAddressSeen, { signal }), timeBeats(signal)])
  return { ...seen, findings: [...judge(seen, here), streams] }
}

/** Returns findings on how a request from this page arrived. */
export function judge(seen: AddressSeen, here: URL): Finding[] {
  const isHere = isLoopback(here.hostname)
  const told = seen.public_url === null ? null : new URL(seen.public_url).origin
  const address = told === null ? (isHere ? 'unset_here' : 'unset') : told === here.origin ? 'same' : 'other'
  const encryption = here.protocol === 'https:' ? 'https' : isHere ? 'here' : 'clear'
  return [
    { about: 'address', found: address, isGood: address === 'same' || address === 'unset_here' },
    { about: 'encryption', found: encryption, isGood: encryption !== 'clear' },
    seen.seen === here.origin
      ? { about: 'arrival', found: 'same', isGood: true }
      : { about: 'arrival', found: 'other', isGood: false },
    { about: 'proxy', found: seen.proxy, isGood: seen.proxy !== 'unnamed' },
  ]
}

/** Returns the summary of findings. An address that is good for this machine only is not said to be right. */
export function summarise(findings: readonly Finding[]): 'good' | 'good_here' | 'not_good' {
  if (!findings.every(({ isGood }) => isGood)) return 'not_good'
  return findings.some(({ found }) => found === 'unset_here') ? 'good_here' : 'good'
}

/** Detects buffering: events sent at even intervals that arrive together were held back. */
async function timeBeats(signal: AbortSignal): Promise<Finding> {
  const about = 'streams'
  try {
    const { body } = await openRoute(streamBeats, { signal })
    const times: number[] = []
    for await (const _ of chunksOf(body)) times.push(performance.now())
    const spread = (times.at(-1) ?? 0) - (times[0] ?? 0)
    const isLive = spread > ((BEATS - 1) * BEAT_MS) / 2
    return { about, found: isLive ? 'live' : 'held', isGood: isLive }
  } catch (error) {
    signal.throwIfAborted()
    return { about, found: error instanceof Error ? 'broken' : 'held', isGood: false }
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) return
    yield part.value
  }
}

const isLoopback = (name: string) =>
  name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)
