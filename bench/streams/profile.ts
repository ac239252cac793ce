import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { round } from '../measure/statistics.ts'

type CallFrame = { functionName: string; url: string; lineNumber: number }
type Profile = {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}
type Spot = { where: string; self_percent: number; self_us_per_token: number }

const SHOWN = 45

/**
 * Returns the CPU hot spots from the largest profile of a folder, by function and by package or folder. Shares are of the
 * busy time; µs per token divide it by `tokens`, so they include opening the streams.
 */
export function hotSpots(
  folder: string,
  tokens: number,
): { by_function: Spot[]; by_part: Spot[]; busy_ms: number } {
  const files = readdirSync(folder).map((file) => join(folder, file))
  const largest = files.sort((a, b) => statSync(b).size - statSync(a).size)[0]
  if (!largest) throw new Error(`no profile in ${folder}`)
  const profile = JSON.parse(readFileSync(largest, 'utf8')) as Profile
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
  const byFunction = new Map<string, number>()
  const byPart = new Map<string, number>()
  let busy = 0
  profile.samples.forEach((id, at) => {
    const frame = frames.get(id)
    if (!frame || ['(idle)', '(root)'].includes(frame.functionName)) return
    const us = profile.timeDeltas[at] ?? 0
    busy += us
    add(byFunction, `${frame.functionName || '(anonymous)'} ${place(frame)}`, us)
    add(byPart, part(frame), us)
  })
  const rank = (spots: Map<string, number>) =>
    [...spots]
      .sort(([, a], [, b]) => b - a)
      .slice(0, SHOWN)
      .map(([where, us]) => ({
        where,
        self_percent: round((100 * us) / busy),
        self_us_per_token: round(us / tokens, 2),
      }))
  return { busy_ms: round(busy / 1000, 0), by_part: rank(byPart), by_function: rank(byFunction) }
}

function add(sums: Map<string, number>, key: string, us: number): void {
  sums.set(key, (sums.get(key) ?? 0) + us)
}

function place({ url, lineNumber }: CallFrame): string {
  return url ? `${basename(url)}:${lineNumber + 1}` : ''
}

function part({ url, functionName }: CallFrame): string {
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (inPackage) return inPackage
  const ours = /\/(src\/.+)\/[^/]+$/.exec(url)?.[1]
  return ours ?? (url.startsWith('node:') ? url : functionName)
}
