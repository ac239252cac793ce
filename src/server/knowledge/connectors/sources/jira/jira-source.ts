import { defineConnector, type OpenedSource } from '../../define-connector.ts'
import { atlassianFields, hostOfSite, listKeyedFolders, pathOf } from '../../requests/atlassian.ts'
import { asUnavailable } from '../../requests/json-requests.ts'
import { listParts } from '../../requests/list-parts.ts'
import { once } from '../../requests/once.ts'
import { mayContain } from '../../selected.ts'
import { openJira } from './issues.ts'

/**
 * Issues of Jira with their comments and attachments. It mirrors no rights: a token cannot read all roles, security levels and addresses,
 * so those who may read an issue are not completely known.
 */
export default defineConnector({
  id: 'jira',
  place: 6,
  fields: atlassianFields,
  mirrorsRights: false,
  personal: true,
  hasFolders: true,
  isOffered: () => true,
  hostOf: hostOfSite,
  open: async (context): Promise<OpenedSource> => {
    const site = openJira(context)
    // An invalid token must not look like a site without projects: all documents would disappear.
    const projects = once(() => asUnavailable(site.check().then(() => site.projects())))
    return {
      check: () => asUnavailable(site.check()),
      folders: async (path) => listKeyedFolders(path === '' ? await projects() : []),
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
