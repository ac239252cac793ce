import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { SIGN_IN_RETURN } from '#shared/knowledge/connectors/sign-in.ts'
import { API_BASE } from '#shared/platform/http.ts'
import {
  assertSignedIn,
  browserSecret,
  keepBrowserSecret,
  readUser,
  visitOf,
} from '../../identity/accounts/accounts.ts'
import { ownOrigin } from '../../platform/http/own-origin.ts'
import type { Caller } from '../../platform/http/serve.ts'
import { askForAccess, exchangeCode } from '../../platform/outbound/oauth/oauth.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import { type Arrival, type SourceSignIn, trustedOf } from '../connectors/connectors.ts'
import type { Sealed } from './open-pick.ts'
import { findPick, type PickRow, writeOutcome, writeSignIn } from './pick-store.ts'
import { wayOf } from './pick-ways.ts'

const VISIT_MS = 10 * 60_000
/** Files of one visit. */
const MAX_PICKED = 20

/** A person's visit to the page of a source to pick files. It is sealed into the `state` that the page returns. */
const PickVisit = z.object({
  ...{ pickId: z.string(), userId: z.string(), sessionId: z.string() },
  /** Hash of the token with which the person is signed in here. The visit ends with it. */
  tokenHash: z.base64url(),
  /** Binds it to the browser it began in. */
  browser: z.string(),
  callback: z.string(),
  verifier: z.string(),
  until: z.number(),
})
type PickVisit = z.infer<typeof PickVisit>

type Begun = {
  user: Caller & { tokenHash: Buffer }
  request: FastifyRequest
  reply: FastifyReply
  sessionId: string
}

/** Returns the address of the page where the person signs in, which returns to the chat. */
export async function beginVisit(
  { config, clock, secrets, publicUrl }: RunDeps,
  pick: PickRow,
  signIn: SourceSignIn,
  { user, request, reply, sessionId }: Begun,
): Promise<string> {
  const callback = `${ownOrigin(request, publicUrl())}${API_BASE}${SIGN_IN_RETURN}`
  const { page, verifier } = await askForAccess(signIn.serviceOf(config), callback)
  for (const [name, value] of Object.entries(signIn.parameters)) page.searchParams.set(name, value)
  const browser = keepBrowserSecret(request, reply, request.protocol === 'https')
  const visit: PickVisit = {
    ...{ pickId: pick.id, userId: user.id, sessionId, browser, callback, verifier },
    tokenHash: user.tokenHash.toString('base64url'),
    until: clock.now().getTime() + VISIT_MS,
  }
  page.searchParams.set('state', secrets.seal(JSON.stringify(visit)))
  return page.href
}

/** Ends a visit when a browser returns. Returns the page of its chat; null for a state that is not of a pick. */
export async function endVisit(deps: RunDeps, arrival: Arrival): Promise<string | null> {
  const visit = readVisit(deps, textOf(arrival.query.state))
  if (!visit) return null
  const page = `/chat/${visit.sessionId}`
  if (visit.browser !== browserSecret(arrival) || visit.until <= deps.clock.now().getTime()) return page
  try {
    const pick = await findOwn(deps, visit, arrival)
    if (!pick) return page
    const [code, error] = [textOf(arrival.query.code), textOf(arrival.query.error)]
    if (code === '') {
      await writeOutcome(deps.db, pick.id, error === 'access_denied' ? 'refused' : 'failed')
      return page
    }
    const { way } = wayOf(deps.config, pick.way)
    if (way.signIn)
      await store(deps, visit, { pick, signIn: way.signIn, code, arrival, there: way.picksThere })
  } catch (error) {
    deps.log.warn({ error, pick: visit.pickId }, 'The sign-in to pick files failed.')
    await writeOutcome(deps.db, visit.pickId, 'failed')
  }
  return page
}

type Returned = { pick: PickRow; signIn: SourceSignIn; code: string; arrival: Arrival; there: boolean }

async function store(
  deps: RunDeps,
  { verifier, callback }: PickVisit,
  { pick, signIn, code, arrival, there }: Returned,
): Promise<void> {
  const service = signIn.serviceOf(deps.config)
  const returned = { code, verifier, callback }
  const { tokens } = await exchangeCode(deps, service, returned, trustedOf(service))
  // A refresh token would outlive the pick.
  const kept: Sealed = { access: tokens.access, until: tokens.until, secrets: {} }
  const ids = there ? textOf(arrival.query.picked_file_ids).split(',') : []
  const picked = [...new Set(ids.filter((id) => id !== ''))].slice(0, MAX_PICKED)
  await writeSignIn(deps.db, pick.id, deps.secrets.seal(JSON.stringify(kept)), picked)
}

/** Returns the pick of a visit while its person is signed in and may act from this address. */
async function findOwn(
  deps: RunDeps,
  { userId, tokenHash, pickId }: PickVisit,
  arrival: Arrival,
): Promise<PickRow | null> {
  await assertSignedIn(deps.db, { id: userId, tokenHash: Buffer.from(tokenHash, 'base64url') })
  await deps.networks.admit(await readUser(deps, userId), visitOf(arrival).address)
  return findPick(deps.db, userId, pickId, deps.clock.now())
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function readVisit({ secrets }: Pick<RunDeps, 'secrets'>, state: string): PickVisit | null {
  try {
    return PickVisit.parse(JSON.parse(secrets.open(state)))
  } catch {
    return null
  }
}
