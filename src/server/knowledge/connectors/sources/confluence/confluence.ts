import type { SourceFolder } from '#shared/knowledge/connectors/sources.ts'
import { defineConnector, type OpenedSource } from '../../define-connector.ts'
import { namedWithKey } from '../../requests/item-names.ts'
import { asUnavailable } from '../../requests/json-requests.ts'
import { listParts, type Part } from '../../requests/list-parts.ts'
import { once } from '../../requests/once.ts'
import { mayContain } from '../../selected.ts'
import { openCloud } from './cloud.ts'
import { openDataCenter } from './data-center.ts'
import type { Space, Wiki } from './wiki.ts'

const MAX_FOLDERS = 500

/**
 * Pages, blog posts and attachments of Confluence. It mirrors no rights: a token cannot read the members of all groups and the addresses
 * of people, so those who may read a page are not completely known.
 */
export const confluence = defineConnector({
  id: 'confluence',
  fields: [
    { name: 'edition', type: 'choice', required: true, options: ['cloud', 'data-center'], value: 'cloud' },
    { name: 'address', type: 'address', required: true },
    { name: 'email', type: 'text', required: false },
    { name: 'token', type: 'secret', required: true },
  ],
  mirrorsRights: false,
  personal: true,
  hasFolders: true,
  isOffered: () => true,
  hostOf: ({ address = '' }) => URL.parse(address)?.host ?? null,
  open: async (context): Promise<OpenedSource> => {
    const wiki = context.settings.edition === 'data-center' ? openDataCenter(context) : openCloud(context)
    // An invalid token must not look like a site without spaces: all documents would disappear.
    const spaces = once(() => asUnavailable(wiki.check().then(() => wiki.spaces())))
    return {
      check: () => asUnavailable(wiki.check()),
      folders: async (path) => {
        const items = path === '' ? (await spaces()).map(folderOf) : []
        items.sort((a, b) => (a.name < b.name ? -1 : 1))
        return { items: items.slice(0, MAX_FOLDERS), has_more: items.length > MAX_FOLDERS }
      },
      async *list(selection, cursor) {
        const chosen = (await spaces()).filter((space) => mayContain(selection, pathOf(space)))
        yield* listParts(wiki.host, partsOf(wiki, chosen), selection, cursor)
      },
      read: ({ id }, signal) => wiki.read(id, signal),
    }
  },
})

const pathOf = ({ name, key }: Space): string => namedWithKey(name, key)

function folderOf(space: Space): SourceFolder {
  return { path: pathOf(space), name: pathOf(space), has_folders: false }
}

function partsOf(wiki: Wiki, spaces: readonly Space[]): Part[] {
  const ofSpaces = spaces.flatMap((space) =>
    (['page', 'blogpost'] as const).map((kind) => ({
      key: `${kind} ${space.id}`,
      page: (next: string | null, more: { mayRestart: boolean }) =>
        wiki.content({ space: { ...space, name: pathOf(space) }, kind, next, ...more }),
    })),
  )
  const { attachments } = wiki
  if (!attachments) return ofSpaces
  const folders = new Map(spaces.map((space) => [space.id, pathOf(space)]))
  return [...ofSpaces, { key: 'attachment', page: (next) => attachments(folders, next) }]
}
