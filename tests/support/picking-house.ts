import { type DavServer, startDavServer } from './dav-server.ts'
import { type DriveServer, startDriveServer } from './drive-server.ts'
import { type GraphServer, startGraphServer } from './graph-server.ts'
import { type OAuthServer, startOAuthServer } from './oauth-server.ts'

export const DRIVE_FILE = 'https://www.googleapis.com/auth/drive.file'

/** Servers of all sources whose files can be picked, with the settings for them. */
export type PickingHouse = {
  oauth: OAuthServer
  drive: DriveServer
  graph: GraphServer
  dav: DavServer
  config: Record<string, string>
  /** Starts the sign-in service for an installation. */
  knowInstallation: (url: string) => void
  close: () => void
}

export async function startPickingHouse(): Promise<PickingHouse> {
  const oauth = await startOAuthServer()
  const isKnown = async (token: string) => (await oauth.personOf(token)) !== null
  const [drive, graph] = [await startDriveServer(isKnown), await startGraphServer(oauth.url, isKnown)]
  const dav = await startDavServer()
  graph.drives.set('mine', 'OneDrive')
  graph.drives.set('docs', 'Documents')
  graph.sites.set('files.test:/sites/plans', { name: 'Plans', drives: ['docs'] })
  return {
    ...{ oauth, drive, graph, dav },
    config: {
      ATRIUM_TOOLS_PRIVATE: `${dav.url},${graph.downloads}`,
      ...{ GOOGLE_DRIVE_CLIENT_ID: 'atrium', GOOGLE_DRIVE_CLIENT_SECRET: 'secret-of-atrium' },
      ...{ GOOGLE_DRIVE_URL: drive.url, GOOGLE_DRIVE_AUTHORIZE_URL: `${oauth.url}/auth` },
      GOOGLE_DRIVE_TOKEN_URL: `${oauth.url}/token`,
      ...{ MICROSOFT_FILES_CLIENT_ID: 'atrium', MICROSOFT_FILES_CLIENT_SECRET: 'secret-of-atrium' },
      ...{ MICROSOFT_FILES_URL: graph.url, MICROSOFT_FILES_SIGN_IN_URL: `${graph.url}/login/common` },
    },
    knowInstallation: (url) => {
      const client = {
        ...{ client_id: 'atrium', client_secret: 'secret-of-atrium' },
        ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const] },
        redirect_uris: [`${url}/api/v1/connector-sign-ins/return`],
      }
      const scopes = [DRIVE_FILE, 'Files.Read', 'Files.Read.All', 'Sites.Read.All']
      oauth.know({ clients: [client], registers: false, scopes })
    },
    close: () => {
      for (const server of [drive, graph, dav, oauth]) server.close()
    },
  }
}
