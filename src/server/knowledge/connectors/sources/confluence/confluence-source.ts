import { defineConnector, type OpenedSource } from '../../define-connector.ts'
import { atlassianFields, hostOfSite, listKeyedFolders, pathOf } from '../../requests/atlassian.ts'
import { asUnavailable } from '../../requests/json-requests.ts'
import { listParts, type Part } from '../../requests/list-parts.ts'
import { once } from '../../requests/once.ts'
import { mayContain } from '../../selected.ts'
import { openCloud } from './cloud.ts'
import { openDataCenter } from './data-center.ts'
import type { Space, Wiki } from './wiki.ts'

/**
 * Pages, blog posts and attachments of Confluence. It mirrors no rights: a token cannot read the members of all groups and the addresses
 * of people, so those who may read a page are not completely known.
 */
export default defineConnector({
  id: 'confluence',
  place: 5,
  fields: atlassianFields,
  mirrorsRights: false,
  personal: true,
  hasFolders: true,
  isOffered: () => true,
  hostOf: hostOfSite,
  open: async (context): Promise<OpenedSource> => {
    const wiki = context.settings.edition === 'data-center' ? openDataCenter(context) : openCloud(context)
    // An invalid token must not look like a site without spaces: all documents would disappear.
    const spaces = once(() => asUnavailable(wiki.check().then(() => wiki.spaces())))
    return {
      check: () => asUnavailable(wiki.check()),
      folders: async (path) => listKeyedFolders(path === '' ? await spaces() : []),
      async *list(selection, cursor) {
        const chosen = (await spaces()).filter((space) => mayContain(selection, pathOf(space)))
        yield* listParts(wiki.host, partsOf(wiki, chosen), selection, cursor)
      },
      read: ({ id }, signal) => wiki.read(id, signal),
    }
  },
})

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
