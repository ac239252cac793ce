import type { InputRequest } from '#shared/runs/input-requests/input-requests.ts'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'

/** A request with an answer; the other kind is a run that waits for a top-up. */
export type AskedItem = InputRequest & { request: InputRequiredBlock }

export function isAsked(item: InputRequest): item is AskedItem {
  return item.request.type === 'input_required'
}

export type InboxGroup = { name: 'today' | 'later' | 'none'; items: InputRequest[] }

/** Groups requests by deadline, in the given order: due first, then by waiting time. */
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

/** Returns a unique id of a listed request. */
export function idOf({ run_id, request }: InputRequest): string {
  return `${run_id}/${request.id}`
}

/** Returns whether yes or no is a complete answer, so that the row is enough. */
export function isYesNo({ request: { kind, fields, input_types } }: AskedItem): boolean {
  if (kind && kind !== 'question') return false
  if (fields && fields.length > 0) return fields.length === 1 && fields[0]?.type === 'boolean'
  return input_types.length === 1 && input_types[0] === 'boolean'
}

/** Returns whether a request must be opened to answer it; an outward call is approved only when fully visible. */
export function needsForm(item: AskedItem): boolean {
  if (item.request.tool?.outward) return true
  return item.request.kind !== 'approval' && item.request.kind !== 'interrupted' && !isYesNo(item)
}

const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Returns a duration in its largest whole unit; `minute` if it is shorter. */
export function spanOf(from: string, to: Date): { value: number; unit: 'day' | 'hour' | 'minute' } {
  const seconds = Math.abs(to.getTime() - Date.parse(from)) / 1000
  const [unit, length] = steps.find(([, size]) => seconds >= size) ?? ['minute', 60]
  return { value: Math.max(1, Math.floor(seconds / length)), unit: unit as 'day' | 'hour' | 'minute' }
}
