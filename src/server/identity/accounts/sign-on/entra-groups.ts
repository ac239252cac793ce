import * as z from 'zod'
import { readJson } from '../../../platform/outbound/foreign/foreign.ts'
import { type Groups, readGroups, TIMEOUT_SECONDS } from './sign-on-service.ts'

type Fetch = (address: string | URL, init?: RequestInit) => Promise<Response>

export const GRAPH = 'https://graph.microsoft.com'
/** Right to read the groups of the person who signs in. An administrator of Entra consents to it once. */
export const GRAPH_SCOPE = `${GRAPH}/GroupMember.Read.All`

const Answer = z.object({ value: z.array(z.string()) })

/**
 * Returns the ids of the groups that Entra leaves out of a token with too many, asked of Microsoft Graph with the person's token. Returns
 * `too_many` when Graph does not tell them, so that roles stay.
 */
export async function askGraph(send: Fetch, token: string, graph = GRAPH): Promise<Groups> {
  try {
    const answer = await send(`${graph}/v1.0/me/getMemberObjects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ securityEnabledOnly: false }),
      signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
    })
    if (!answer.ok) return 'too_many'
    const { value } = Answer.parse(await readJson(new Uint8Array(await answer.arrayBuffer())))
    return readGroups(value)
  } catch {
    return 'too_many'
  }
}
