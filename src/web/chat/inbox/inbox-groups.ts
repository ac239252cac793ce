import type { InputRequest } from '#shared/runs/input-requests/input-requests.ts'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'

/** A request that is answered; the other kind is a run that waits for a top-up. */
export type AskedItem = InputRequest & { request: InputRequiredBlock }

export function isAsked(item: InputRequest): item is AskedItem {
  return item.request.type === 'input_required'
}

export type InboxGroup = { name: 'today' | 'later' | 'none'; items: InputRequest[] }

/** Requests by when they are due, in the order they came: due first, then by how long they wait. */
export function groupByDeadline(items: readonly InputRequest[], now: Date): InboxGroup[] {
  const endOfDay = new Date(now)
  endOfDay.setHours(23, 59, 59, 999)
  const nameOf = (item: InputRequest) => {
    if (!isAsked(item) || !item.request.deadline) return 'none'
    return new Date(item.request.deadline) <= endOfDay ? 'today' : 'later'
  }
  return (['today', 'later', 'none'] as const)
    .map((name) => ({ name, items: items.filter((item) => nameOf(item) === name) }))
    .filter(({ items }) => items.length > 0)
}

/** One id per listed request, also between runs. */
export function idOf({ run_id, request }: InputRequest): string {
  return `${run_id}/${request.id}`
}

/** Yes or no answers the whole request, so that its row is enough. */
export function isYesNo({ request: { kind, fields, input_types } }: AskedItem): boolean {
  if (kind === 'approval' || kind === 'interrupted') return false
  if (fields && fields.length > 0) return fields.length === 1 && fields[0]?.type === 'boolean'
  return input_types.length === 1 && input_types[0] === 'boolean'
}

/** Whether a request has to be opened to be answered: what leaves the house is approved by who sees it whole. */
export function needsForm(item: AskedItem): boolean {
  if (item.request.tool?.outward) return true
  return item.request.kind !== 'approval' && item.request.kind !== 'interrupted' && !isYesNo(item)
}

const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** A stretch of time in its largest whole unit; `minute` when it is shorter. */
export function spanOf(from: string, to: Date): { value: number; unit: 'day' | 'hour' | 'minute' } {
  const seconds = Math.abs(to.getTime() - Date.parse(from)) / 1000
  const [unit, length] = steps.find(([, size]) => seconds >= size) ?? ['minute', 60]
  return { value: Math.max(1, Math.floor(seconds / length)), unit: unit as 'day' | 'hour' | 'minute' }
}
