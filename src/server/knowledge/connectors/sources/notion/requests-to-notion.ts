import * as z from 'zod'
import { ItemRefused, type SourceContext } from '../../define-connector.ts'
import { repeatedList, unfinishedList } from '../../requests/guard-cursors.ts'
import { type Ask, type JsonRequests, requestsTo } from '../../requests/json-requests.ts'

export const DEFAULT_ADDRESS = 'https://api.notion.com'
const VERSION = '2025-09-03'
const PAGE = 100

export const Rich = z.object({
  plain_text: z.string(),
  href: z.nullish(z.string()),
  annotations: z.nullish(
    z.object({
      bold: z.nullish(z.boolean()),
      italic: z.nullish(z.boolean()),
      strikethrough: z.nullish(z.boolean()),
      code: z.nullish(z.boolean()),
    }),
  ),
})
export type Rich = z.infer<typeof Rich>

export const Parent = z.object({
  type: z.string(),
  page_id: z.nullish(z.string()),
  database_id: z.nullish(z.string()),
  block_id: z.nullish(z.string()),
})
export type Parent = z.infer<typeof Parent>

/** A value of a page, by the type that it names. */
export const Property = z.looseObject({ type: z.string() })
export type Property = z.infer<typeof Property>

export const Page = z.object({
  id: z.string(),
  object: z.literal('page'),
  last_edited_time: z.string(),
  created_time: z.nullish(z.string()),
  created_by: z.nullish(z.object({ id: z.string() })),
  archived: z.nullish(z.boolean()),
  in_trash: z.nullish(z.boolean()),
  parent: Parent,
  url: z.nullish(z.string()),
  properties: z.record(z.string(), Property),
})
export type Page = z.infer<typeof Page>

export const listOf = <T extends z.ZodType>(one: T) =>
  z.object({
    results: z.array(one),
    has_more: z.nullish(z.boolean()),
    next_cursor: z.nullish(z.string()),
  })

const User = z.object({ id: z.string(), name: z.nullish(z.string()) })

export function requestsToNotion({ settings, ...context }: SourceContext): JsonRequests {
  const { address, token = '' } = settings
  const headers = { authorization: `Bearer ${token}`, 'notion-version': VERSION }
  return requestsTo({ settings, ...context }, `${address || DEFAULT_ADDRESS}/v1/`, headers)
}

/** Returns all entries of a list, at most a number of pages of them. `isComplete` is false when there are more. */
export async function listAll<T extends z.ZodType>(
  requests: JsonRequests,
  path: string,
  one: T,
  { maxPages, ...options }: Ask & { maxPages: number },
): Promise<{ entries: z.infer<T>[]; isComplete: boolean }> {
  const entries: z.infer<T>[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages += 1) {
    const query = { page_size: PAGE, start_cursor: cursor }
    const page = await requests.ask(path, listOf(one), { ...options, query, isFurther: true })
    entries.push(...page.results)
    if (!page.has_more) return { entries, isComplete: true }
    if (!page.next_cursor) throw unfinishedList(requests.host)
    if (page.next_cursor === cursor) throw repeatedList(requests.host)
    cursor = page.next_cursor
  }
  return { entries, isComplete: false }
}

/** Returns the names of people. An integration that may not read them gets none. */
export async function namesOfPeople(requests: JsonRequests): Promise<Map<string, string>> {
  try {
    const { entries } = await listAll(requests, 'users', User, { maxPages: 100 })
    return new Map(entries.flatMap(({ id, name }) => (name ? [[id, name]] : [])))
  } catch (error) {
    if (error instanceof ItemRefused) return new Map()
    throw error
  }
}

export const textOf = (rich: readonly Rich[] | null | undefined): string =>
  (rich ?? []).map(({ plain_text }) => plain_text).join('')
