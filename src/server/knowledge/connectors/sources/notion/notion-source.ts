import { defineConnector, ItemRefused, type OpenedSource, type SourceItem } from '../../define-connector.ts'
import { unfinishedList } from '../../requests/guard-cursors.ts'
import { dateOf, nameOf } from '../../requests/item-names.ts'
import { asUnavailable, type JsonRequests, part, readableOf } from '../../requests/json-requests.ts'
import { listParts } from '../../requests/list-parts.ts'
import { once } from '../../requests/once.ts'
import { pageHtml } from '../../requests/page-html.ts'
import { openAncestors } from './ancestors.ts'
import { blocksHtml } from './block-html.ts'
import { readBlocks } from './blocks.ts'
import { factsOf, labelsOf, titleOf } from './properties.ts'
import { DEFAULT_ADDRESS, listOf, namesOfPeople, Page, requestsToNotion } from './requests-to-notion.ts'

const PAGE = 100
/** Notion tells times of changes in minutes, so a page may change again at the same time. */
const FRESH_MS = 2 * 60_000

/** Pages and rows of databases that are shared with an integration. Notion does not tell who may read a page, so no rights are mirrored. */
export default defineConnector({
  id: 'notion',
  place: 7,
  fields: [
    { name: 'token', type: 'secret', required: true },
    { name: 'address', type: 'address', required: false, value: DEFAULT_ADDRESS },
  ],
  mirrorsRights: false,
  personal: true,
  hasFolders: false,
  isOffered: () => true,
  hostOf: ({ address }) => URL.parse(address || DEFAULT_ADDRESS)?.host ?? null,
  open: async (context): Promise<OpenedSource> => {
    const requests = requestsToNotion(context)
    const listPage = openSearch(requests)
    return {
      check: async () => void (await asUnavailable(search(requests, null, 1))),
      list: (selection, cursor) =>
        listParts(requests.host, [{ key: 'pages', page: listPage }], selection, cursor),
      read: async ({ id }, signal) => {
        const page = await requests.ask(`pages/${part(id)}`, Page, { signal })
        if (isGone(page)) throw new ItemRefused('not_found', 'The page is in the trash.')
        const { blocks, isComplete } = await readBlocks(requests, id, signal)
        const rest = isComplete ? '' : '<p>The page is too large. The rest is left out.</p>'
        const body = `${blocksHtml(blocks)}${rest}`
        return readableOf(pageHtml({ title: titleOf(page) || 'Untitled', facts: factsOf(page), body }))
      },
    }
  },
})

const Found = listOf(Page)

const search = (requests: JsonRequests, cursor: string | null, size = PAGE) =>
  requests.ask('search', Found, {
    body: {
      filter: { property: 'object', value: 'page' },
      // A page that changes meanwhile moves to the end, so none is missed.
      sort: { direction: 'ascending', timestamp: 'last_edited_time' },
      page_size: size,
      ...(cursor !== null && { start_cursor: cursor }),
    },
  })

const isGone = ({ archived, in_trash }: Page) => archived === true || in_trash === true

/** Returns a function that lists the pages behind a cursor. Names of people and of pages above are asked for once. */
function openSearch(requests: JsonRequests) {
  const ancestors = openAncestors(requests)
  const people = once(() => namesOfPeople(requests))
  return async (cursor: string | null): Promise<{ items: SourceItem[]; next: string | null }> => {
    const { results, has_more, next_cursor } = await search(requests, cursor)
    if (has_more && !next_cursor) throw unfinishedList(requests.host)
    const names = await people()
    const pages = results.filter((page) => !isGone(page))
    for (const page of pages) ancestors.note(page)
    const items: SourceItem[] = []
    for (const page of pages)
      items.push(itemOf(page, await ancestors.above(page), names.get(page.created_by?.id ?? '')))
    return { items, next: has_more ? (next_cursor ?? null) : null }
  }
}

function itemOf(page: Page, folders: readonly string[], owner: string | undefined): SourceItem {
  const name = `${nameOf(titleOf(page))}.html`
  const [created, changed] = [dateOf(page.created_time), dateOf(page.last_edited_time)]
  const isFresh = changed !== undefined && Date.now() - changed.getTime() < FRESH_MS
  return {
    ...{ id: page.id, name, path: [...folders, name].join('/'), size: null, labels: labelsOf(page) },
    version: isFresh ? `${page.last_edited_time} fresh` : page.last_edited_time,
    ...(page.url?.startsWith('https://') && { url: page.url }),
    ...(owner && { owner }),
    ...(created && { created_at: created }),
    ...(changed && { changed_at: changed }),
  }
}
