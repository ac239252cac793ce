import type { Service } from '../../../../platform/outbound/oauth/oauth-service.ts'
import { defineConnector, type OpenedSource, type SourceSignIn } from '../../define-connector.ts'
import { assertDrives, browseFolders, siteAddresses } from './graph-drives.ts'
import { browseFiles, describeFile } from './graph-files.ts'
import { listPages, readChanges } from './graph-listing.ts'
import { graphOf } from './graph-requests.ts'
import { listMembers } from './graph-rights.ts'
import { judgeGraph, unwatchGraph, watchGraph } from './graph-watch.ts'
import settings from './microsoft-files-settings.ts'
import { readContent } from './read-content.ts'

/** Graph has no permission for single files that a person can give, so each way asks for the least that lists its files. */
const signInFor = (scope: string): SourceSignIn => ({
  needs: settings.client,
  serviceOf: (config) => serviceOf(settings.of(config), scope),
  parameters: { prompt: 'select_account' },
})

/** Libraries of SharePoint sites, or the OneDrive of the person who signs in. */
export default defineConnector({
  id: 'microsoft-files',
  place: 4,
  fields: [{ name: 'sites', type: 'lines', required: false }],
  ...{ mirrorsRights: true, personal: true, hasFolders: true },
  signIn: {
    needs: settings.client,
    serviceOf: (config) => serviceOf(settings.of(config), settings.of(config).MICROSOFT_FILES_SCOPES),
    parameters: { prompt: 'select_account' },
  },
  picks: [
    { id: 'onedrive', fields: [], picksThere: false, signIn: signInFor('Files.Read') },
    {
      id: 'sharepoint',
      fields: [{ name: 'sites', type: 'lines', required: true }],
      ...{ picksThere: false, signIn: signInFor('Files.Read.All Sites.Read.All') },
    },
  ],
  isOffered: () => true,
  judge: judgeGraph,
  hostOf: (settings) => siteAddresses(settings)[0]?.host ?? null,
  open: async (context): Promise<OpenedSource> => {
    const graph = graphOf(context)
    return {
      check: () => assertDrives(graph),
      folders: (path) => browseFolders(graph, path),
      list: (selection, cursor) => listPages(graph, selection, cursor),
      // The changes do not tell whose rights changed, so mirrored rights need a complete listing.
      ...(!context.mirrors && { changes: (selection, token) => readChanges(graph, selection, token) }),
      entries: (path) => browseFiles(graph, path),
      item: ({ id }) => describeFile(graph, id),
      read: ({ id }, signal) => readContent(graph, id, signal),
      members: (groups) => listMembers(graph, groups),
      watch: (receiver, former) => watchGraph(graph, receiver, former),
      unwatch: (channels) => unwatchGraph(graph, channels),
    }
  },
})

function serviceOf(values: ReturnType<typeof settings.of>, scope: string): Service {
  return {
    ...{ issuer: null, revoke: null, methods: [], names_itself: false, resource: null },
    ...{ scope, client_id: values.MICROSOFT_FILES_CLIENT_ID ?? '' },
    client_secret: values.MICROSOFT_FILES_CLIENT_SECRET ?? null,
    authorize: `${values.MICROSOFT_FILES_SIGN_IN_URL}/oauth2/v2.0/authorize`,
    token: `${values.MICROSOFT_FILES_SIGN_IN_URL}/oauth2/v2.0/token`,
  }
}
