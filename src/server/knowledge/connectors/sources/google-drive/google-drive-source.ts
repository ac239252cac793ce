import { defineConnector, type OpenedSource } from '../../define-connector.ts'
import { readChanges } from './drive-changes.ts'
import { browseFolders, listPages } from './drive-listing.ts'
import { driveOf } from './drive-requests.ts'
import { judgeDrive, unwatchDrive, watchDrive } from './drive-watch.ts'
import { readFile } from './read-file.ts'

const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'

/** My Drive and the shared drives of a Google account. */
export default defineConnector({
  id: 'google-drive',
  place: 3,
  fields: [],
  ...{ mirrorsRights: true, personal: true, hasFolders: true },
  signIn: {
    needs: ['GOOGLE_DRIVE_CLIENT_ID', 'GOOGLE_DRIVE_CLIENT_SECRET'],
    serviceOf: (config) => ({
      ...{ issuer: null, revoke: null, methods: [], names_itself: false, resource: null, scope: SCOPE },
      ...{ authorize: config.GOOGLE_DRIVE_AUTHORIZE_URL, token: config.GOOGLE_DRIVE_TOKEN_URL },
      client_id: config.GOOGLE_DRIVE_CLIENT_ID ?? '',
      client_secret: config.GOOGLE_DRIVE_CLIENT_SECRET ?? null,
    }),
    // Google issues a refresh token only with both.
    parameters: { access_type: 'offline', prompt: 'consent' },
  },
  isOffered: () => true,
  // Google counts the requests of each account, so its connectors share no limit.
  hostOf: () => null,
  judge: judgeDrive,
  open: async (context): Promise<OpenedSource> => {
    const drive = driveOf(context)
    return {
      check: async () => void (await drive.rootId()),
      folders: (path) => browseFolders(drive, path),
      list: (selection, cursor) => listPages(drive, selection, cursor),
      changes: (selection, token) => readChanges(drive, selection, token),
      read: ({ id }, signal) => readFile(drive, id, signal),
      watch: (receiver, former) => watchDrive(drive, receiver, former),
      unwatch: (channels) => unwatchDrive(drive, channels),
    }
  },
})
