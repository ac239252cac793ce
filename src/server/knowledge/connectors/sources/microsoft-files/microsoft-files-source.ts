import type { Service } from '../../../../platform/outbound/oauth/oauth-service.ts'
import { defineConnector, type OpenedSource } from '../../define-connector.ts'
import { assertDrives, browseFolders, siteAddresses } from './graph-drives.ts'
import { listPages, readChanges } from './graph-listing.ts'
import { graphOf } from './graph-requests.ts'
import { listMembers } from './graph-rights.ts'
import settings from './microsoft-files-settings.ts'
import { readContent } from './read-content.ts'

/** Libraries of SharePoint sites, or the OneDrive of the person who signs in. */
export default defineConnector({
  id: 'microsoft-files',
  place: 4,
  fields: [{ name: 'sites', type: 'lines', required: false }],
  ...{ mirrorsRights: true, personal: true, hasFolders: true },
  signIn: {
    needs: settings.client,
    serviceOf: (config) => serviceOf(settings.of(config)),
    parameters: { prompt: 'select_account' },
  },
  isOffered: () => true,
  hostOf: (settings) => siteAddresses(settings)[0]?.host ?? null,
  open: async (context): Promise<OpenedSource> => {
    const graph = graphOf(context)
    return {
      check: () => assertDrives(graph),
      folders: (path) => browseFolders(graph, path),
      list: (selection, cursor) => listPages(graph, selection, cursor),
      // The changes do not tell whose rights changed, so mirrored rights need a complete listing.
      ...(!context.mirrors && { changes: (selection, token) => readChanges(graph, selection, token) }),
      read: ({ id }, signal) => readContent(graph, id, signal),
      members: (groups) => listMembers(graph, groups),
    }
  },
})

function serviceOf(values: ReturnType<typeof settings.of>): Service {
  return {
    ...{ issuer: null, revoke: null, methods: [], names_itself: false, resource: null },
    ...{ scope: values.MICROSOFT_FILES_SCOPES, client_id: values.MICROSOFT_FILES_CLIENT_ID ?? '' },
    client_secret: values.MICROSOFT_FILES_CLIENT_SECRET ?? null,
    authorize: `${values.MICROSOFT_FILES_SIGN_IN_URL}/oauth2/v2.0/authorize`,
    token: `${values.MICROSOFT_FILES_SIGN_IN_URL}/oauth2/v2.0/token`,
  }
}
