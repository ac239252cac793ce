import type { OutboundAnswer, OutboundRequest } from '#shared/platform/outbound.ts'
import { SignedOut, type SourceContext } from '../define-connector.ts'

type Context = Pick<SourceContext, 'account' | 'outbound' | 'signal'>
type Fetched = Parameters<Context['outbound']['fetch']>[1]
type Opened = Parameters<Context['outbound']['open']>[1]

/** Fetches an address of the source with its token. Redirects are not followed: the token goes to this host only. */
export function fetchWithToken(
  context: Context,
  url: string,
  request: NonNullable<Fetched>,
): Promise<OutboundAnswer> {
  const { outbound, signal } = context
  return withToken(context, request, (signed) => outbound.fetch(url, { signal, ...signed, maxRedirects: 0 }))
}

/** Opens a stream of the source with its token. */
export function openWithToken(
  context: Context,
  url: string,
  request: NonNullable<Opened>,
): Promise<Response> {
  return withToken(context, request, (signed) => context.outbound.open(url, signed))
}

/** Sends a request with the token, and once again with a new one if the source refuses it. */
async function withToken<Request extends OutboundRequest, Answer extends { status: number }>(
  { account }: Context,
  request: Request,
  send: (request: Request) => Promise<Answer>,
): Promise<Answer> {
  if (!account) throw new SignedOut('No one is signed in to the source.')
  const sendWith = (token: string) =>
    send({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } })
  const token = await account.token()
  const answer = await sendWith(token)
  if (answer.status !== 401) return answer
  if (answer instanceof Response) await answer.body?.cancel()
  return sendWith(await account.renew(token))
}
