import { expect } from 'vitest'
import { DRIVE_FOLDER, startDriveServer } from '../drive-server.ts'
import { startGraphServer } from '../graph-server.ts'
import { type OAuthServer, startOAuthServer } from '../oauth-server.ts'
import { signInTo } from '../signing-in.ts'
import { byEntry, type SourceFixture } from './source-fixture.ts'

const FOLDERS = ['a', 'b']
const BUSY = { 'retry-after': '30' }

const signInAt =
  (oauth: OAuthServer, scopes: string[]): SourceFixture['signIn'] =>
  async (base, who, connectorId) => {
    const client = {
      ...{ client_id: 'atrium', client_secret: 'secret-of-atrium' },
      ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const] },
      redirect_uris: [`${base}/connector-sign-ins/return`],
    }
    oauth.know({ clients: [client], registers: false, scopes })
    expect((await signInTo(base, who, connectorId)).back).toContain('sign_in=connected')
  }

const onlyGet = (methods: ReadonlySet<string>) => [...methods].filter((method) => method !== 'GET')

/** Google Drive with two folders. */
export async function aDrive(): Promise<SourceFixture> {
  const oauth = await startOAuthServer()
  const drive = await startDriveServer(async (token) => (await oauth.personOf(token)) !== null)
  for (const name of FOLDERS) drive.put({ id: name, name, mimeType: DRIVE_FOLDER })
  let permissions: { type: string; emailAddress: string }[] = []
  return {
    settings: {},
    config: {
      ...{ GOOGLE_DRIVE_CLIENT_ID: 'atrium', GOOGLE_DRIVE_CLIENT_SECRET: 'secret-of-atrium' },
      ...{ GOOGLE_DRIVE_URL: drive.url, GOOGLE_DRIVE_AUTHORIZE_URL: `${oauth.url}/auth` },
      GOOGLE_DRIVE_TOKEN_URL: `${oauth.url}/token`,
    },
    setFiles: byEntry({
      put: ({ folder, name, text, number }) =>
        drive.put({ id: `n${number}`, name, text, parents: [folder], permissions }),
      remove: ({ number }) => drive.remove(`n${number}`),
    }),
    setBusy: (isBusy) => drive.fail(403, isBusy ? 1e9 : 0, 'userRateLimitExceeded', BUSY),
    setReader: (address) => {
      permissions = [{ type: 'user', emailAddress: address }]
      for (const { id, mimeType } of [...drive.files.values()])
        if (mimeType !== DRIVE_FOLDER) drive.put({ id, permissions })
    },
    signIn: signInAt(oauth, ['https://www.googleapis.com/auth/drive.readonly']),
    ...{ writes: () => onlyGet(drive.methods), changesItems: true },
    close: () => {
      drive.close()
      oauth.close()
    },
  }
}

/** A SharePoint site with a library of two folders. */
export async function aSite(): Promise<SourceFixture> {
  const oauth = await startOAuthServer()
  const graph = await startGraphServer(oauth.url, async (token) => (await oauth.personOf(token)) !== null)
  const drive = 'docs'
  graph.drives.set(drive, 'Documents')
  graph.sites.set('files.test:/sites/plans', { name: 'Plans', drives: [drive] })
  for (const name of FOLDERS) graph.put({ id: name, drive, name, isFolder: true })
  let permissions: object[] = []
  return {
    settings: { sites: 'https://files.test/sites/plans/' },
    config: {
      ...{ MICROSOFT_FILES_CLIENT_ID: 'atrium', MICROSOFT_FILES_CLIENT_SECRET: 'secret-of-atrium' },
      ...{ MICROSOFT_FILES_URL: graph.url, MICROSOFT_FILES_SIGN_IN_URL: `${graph.url}/login/common` },
      ATRIUM_TOOLS_PRIVATE: graph.downloads,
    },
    setFiles: byEntry({
      put: ({ folder, name, text, number }) =>
        graph.put({ id: `n${number}`, drive, name, text, parent: folder, permissions }),
      remove: ({ number }) => graph.remove(drive, `n${number}`),
    }),
    setBusy: (isBusy) => graph.fail(429, isBusy ? 1e9 : 0, BUSY),
    setReader: (address) => {
      permissions = [{ roles: ['read'], grantedToV2: { user: { id: '1', email: address } } }]
      // Graph reports no change of permissions.
      for (const item of graph.items.values()) if (!item.isFolder) item.permissions = permissions
    },
    signIn: signInAt(oauth, ['Files.Read.All', 'Sites.Read.All']),
    ...{ writes: () => onlyGet(graph.methods), changesItems: true },
    close: () => {
      graph.close()
      oauth.close()
    },
  }
}
