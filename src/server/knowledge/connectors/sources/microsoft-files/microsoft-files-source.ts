import { defineConnector, type OpenedSource } from '../../define-connector.ts'
import { assertDrives, browseFolders, siteAddresses } from './graph-drives.ts'
import { listPages, readChanges } from './graph-listing.ts'
import { graphOf } from './graph-requests.ts'
import { listMembers } from './graph-rights.ts'
import { judgeGraph, unwatchGraph, watchGraph } from './graph-watch.ts'
import { readContent } from './read-content.ts'

/** Libraries of SharePoint sites, or the OneDrive of the person who signs in. */
export default defineConnector({
  id: 'microsoft-files',
  place: 4,
  fields: [{ name: 'sites', type: 'lines', required: false }],
  ...{ mirrorsRights: true, personal: true, hasFolders: true },
  signIn: {
    needs: ['MICROSOFT_FILES_CLIENT_ID', 'MICROSOFT_FILES_CLIENT_SECRET'],
    serviceOf: (config) => ({
      ...{ issuer: null, revoke: null, methods: [], names_itself: false, resource: null },
      ...{ scope: config.MICROSOFT_FILES_SCOPES, client_id: config.MICROSOFT_FILES_CLIENT_ID ?? '' },
      client_secret: config.MICROSOFT_FILES_CLIENT_SECRET ?? null,
      authorize: `${config.MICROSOFT_FILES_SIGN_IN_URL}/oauth2/v2.0/authorize`,
      token: `${config.MICROSOFT_FILES_SIGN_IN_URL}/oauth2/v2.0/token`,
    }),
    parameters: { prompt: 'select_account' },
  },
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
      read: ({ id }, signal) => readContent(graph, id, signal),
      members: (groups) => listMembers(graph, groups),
      watch: (receiver, former) => watchGraph(graph, receiver, former),
      unwatch: (channels) => unwatchGraph(graph, channels),
    }
  },
})
