import type { SearchKind } from '#shared/chat/search/search.ts'

/** The filter in the address of the search page. Dates are days such as 2026-05-31. */
export type SearchFilter = {
  q?: string
  type?: string
  project?: string
  person?: string
  from?: string
  to?: string
  model?: string
  tag?: string
}
export type FilterName = Exclude<keyof SearchFilter, 'q'>

export const filterNames: readonly FilterName[] = ['type', 'project', 'person', 'from', 'to', 'model', 'tag']
const kinds: readonly string[] = ['chat', 'document', 'prompt', 'memory'] satisfies SearchKind[]
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads the filter of an address; values that the server would refuse are left out. */
export function readFilter(search: Record<string, unknown>): SearchFilter {
  const rules: Record<keyof SearchFilter, (value: string) => boolean> = {
    q: (value) => value.length <= 200,
    type: (value) => kinds.includes(value),
    project: (value) => UUID.test(value),
    person: (value) => UUID.test(value),
    from: isDay,
    to: isDay,
    model: (value) => value.length <= 200,
    tag: (value) => value.length <= 100,
  }
  const given = Object.entries(rules).flatMap(([name, isGood]) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' && isGood(value) ? [[name, value]] : []
  })
  return Object.fromEntries(given) as SearchFilter
}

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))

/** Returns the query of the server. Days are those of the person's time zone. */
export function queryOf({ q = '', type, project, person, from, to, model, tag }: SearchFilter) {
  return {
    q,
    ...(type && { kinds: type }),
    ...(project && { workspace_id: project }),
    ...(person && { person_id: person }),
    ...(from && { from: startOf(from, 0) }),
    ...(to && { to: startOf(to, 1) }),
    ...(model && { model }),
    ...(tag && { tag }),
  }
}

function startOf(day: string, add: number): string {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + add)
  return date.toISOString()
}
