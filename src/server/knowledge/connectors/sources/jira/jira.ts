import type { SourceFolder } from '#shared/knowledge/connectors/sources.ts'
import { defineConnector, type OpenedSource } from '../../define-connector.ts'
import { namedWithKey } from '../../requests/item-names.ts'
import { asUnavailable } from '../../requests/json-requests.ts'
import { listParts } from '../../requests/list-parts.ts'
import { once } from '../../requests/once.ts'
import { mayContain } from '../../selected.ts'
import { openJira, type Project } from './issues.ts'

const MAX_FOLDERS = 500

/**
 * Issues of Jira with their comments and attachments. It mirrors no rights: a token cannot read all roles, security levels and addresses,
 * so those who may read an issue are not completely known.
 */
export const jira = defineConnector({
  id: 'jira',
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
    const site = openJira(context)
    // An invalid token must not look like a site without projects: all documents would disappear.
    const projects = once(() => asUnavailable(site.check().then(() => site.projects())))
    return {
      check: () => asUnavailable(site.check()),
      folders: async (path) => {
        const items = path === '' ? (await projects()).map(folderOf) : []
        items.sort((a, b) => (a.name < b.name ? -1 : 1))
        return { items: items.slice(0, MAX_FOLDERS), has_more: items.length > MAX_FOLDERS }
      },
      async *list(selection, cursor) {
        const chosen = (await projects()).filter((project) => mayContain(selection, pathOf(project)))
        const parts = chosen.map((project) => ({
          key: project.id,
          page: (next: string | null, more: { mayRestart: boolean }) =>
            site.issues({ project, folder: pathOf(project), next, ...more }),
        }))
        yield* listParts(site.host, parts, selection, cursor)
      },
      read: ({ id }, signal) => site.read(id, signal),
    }
  },
})

const pathOf = ({ name, key }: Project): string => namedWithKey(name, key)

function folderOf(project: Project): SourceFolder {
  return { path: pathOf(project), name: pathOf(project), has_folders: false }
}
