import { expect } from 'vitest'
import type { ApiServer } from './api-server.ts'
import type { Chat } from './chat.ts'
import type { OAuthServer } from './oauth-server.ts'

export type SignedInTool = { id: string; account: { set_id: string } }

/** Adds a tool that reads the orders of the person who signs in to its service. */
export async function aSignedInTool(
  chat: Chat,
  { api, oauth }: { api: ApiServer; oauth: OAuthServer },
): Promise<SignedInTool> {
  const client = {
    ...{ client_id: 'atrium', client_secret: 'a-secret-of-atrium' },
    redirect_uris: [`${chat.url}/tool-accounts/return`],
    grant_types: ['authorization_code', 'refresh_token'],
  }
  oauth.know({ clients: [client], registers: false })
  const made = await chat.call('POST', '/tools', {
    ...{ ui_name: 'My orders', description: 'Orders of the person.' },
    call: { method: 'GET', address: `${api.url}/orders`, inputs: [] },
    auth: {
      ...{ kind: 'oauth2_user', client_id: client.client_id, scopes: ['openid', 'offline_access'] },
      ...{ authorize_url: `${oauth.url}/auth`, token_url: `${oauth.url}/token` },
    },
    secrets: { client_secret: client.client_secret },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}
