import type { Service } from '../../../../platform/outbound/oauth/oauth-service.ts'
import { defineConnector, type OpenedSource } from '../../define-connector.ts'
import { readChanges } from './drive-changes.ts'
import { browseFolders, listPages } from './drive-listing.ts'
import { driveOf } from './drive-requests.ts'
import { judgeDrive, unwatchDrive, watchDrive } from './drive-watch.ts'
import settings from './google-drive-settings.ts'
import { describeFile, readFile } from './read-file.ts'

/** The permission for the files that a person picks on Google's page. */
const PICK_SCOPE = 'https://www.googleapis.com/auth/drive.file'
const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'

/** My Drive and the shared drives of a Google account. */
export default defineConnector({
  id: 'google-drive',
  place: 3,
  fields: [],
  ...{ mirrorsRights: true, personal: true, hasFolders: true },
  signIn: {
    needs: settings.client,
    serviceOf: (config) => serviceOf(settings.of(config), SCOPE),
    // Google issues a refresh token only with both.
    parameters: { access_type: 'offline', prompt: 'consent' },
  },
  picks: [
    {
      ...{ id: 'google-drive', fields: [], picksThere: true },
      signIn: {
        needs: settings.client,
        serviceOf: (config) => serviceOf(settings.of(config), PICK_SCOPE),
        // Google shows its picker as part of the consent, without a script in our page.
        parameters: {
          ...{ trigger_onepick: 'true', allow_multiple: 'true', prompt: 'consent' },
          ...{ access_type: 'online', include_granted_scopes: 'false' },
        },
      },
    },
  ],
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
      item: ({ id }) => describeFile(drive, id),
      read: ({ id }, signal) => readFile(drive, id, signal),
      watch: (receiver, former) => watchDrive(drive, receiver, former),
      unwatch: (channels) => unwatchDrive(drive, channels),
    }
  },
})

function serviceOf(values: ReturnType<typeof settings.of>, scope: string): Service {
  return {
    ...{ issuer: null, revoke: null, methods: [], names_itself: false, resource: null, scope },
    ...{ authorize: values.GOOGLE_DRIVE_AUTHORIZE_URL, token: values.GOOGLE_DRIVE_TOKEN_URL },
    client_id: values.GOOGLE_DRIVE_CLIENT_ID ?? '',
    client_secret: values.GOOGLE_DRIVE_CLIENT_SECRET ?? null,
  }
}
