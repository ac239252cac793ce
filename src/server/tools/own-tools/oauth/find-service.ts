import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  registerClient,
} from '@modelcontextprotocol/client'
import type { Kysely } from 'kysely'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { ClientMethod } from '../../../platform/outbound/oauth/client-auth.ts'
import { assertPage, createFetch, Service } from '../../../platform/outbound/oauth/oauth-service.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { findClient, keepClient } from './account-store.ts'
import { clientDocument } from './client-document.ts'

/** The sealed data of Atrium's client at an MCP server's sign-in service. */
const KeptClient = z.object({
  /** Entered by its owner, if the service allows no registration. */
  entered: z.object({ id: z.string(), secret: z.string().nullable() }).nullable(),
  /** Found at the first sign-in. */
  service: Service.nullable(),
  /** The callback address registered with it. */
  callback: z.string().nullable(),
})
type KeptClient = z.infer<typeof KeptClient>

const nothing: KeptClient = { entered: null, service: null, callback: null }

async function readClient({ db, secrets }: Pick<OwnToolDeps, 'db' | 'secrets'>, setId: string) {
  const sealed = await findClient(db, setId)
  return sealed === undefined ? nothing : KeptClient.parse(JSON.parse(secrets.open(sealed)))
}

/** Returns the known sign-in service of an MCP server. */
export async function knownService(
  deps: Pick<OwnToolDeps, 'db' | 'secrets'>,
  setId: string,
): Promise<Service | null> {
  return (await readClient(deps, setId)).service
}

/** Returns the client entered by its owner; null if there is none. */
export async function enteredClient(
  deps: Pick<OwnToolDeps, 'db' | 'secrets'>,
  setId: string,
): Promise<string | null> {
  return (await readClient(deps, setId)).entered?.id ?? null
}

/** Stores a client of an MCP server entered by its owner. Its service is discovered again. */
export async function enterClient(
  { secrets }: Pick<OwnToolDeps, 'secrets'>,
  trx: Kysely<Tables>,
  setId: string,
  entered: KeptClient['entered'],
): Promise<void> {
  await keepClient(trx, setId, secrets.seal(JSON.stringify({ ...nothing, entered })))
}

type Asked = { url: string; callback: string }

/**
 * Discovers the sign-in service of an MCP server (RFC 9728, 8414), with the entered client, our client metadata document if the
 * service accepts it, or a newly registered client (RFC 7591). @throws AppError `not_available` with what is missing, `unavailable`
 */
export async function findService(
  deps: OwnToolDeps,
  setId: string,
  { url, callback }: Asked,
): Promise<Service> {
  const known = await readClient(deps, setId)
  if (known.service && known.callback === callback) return known.service
  const fetchFn = createFetch(deps.outbound, deps.config.ATRIUM_TOOLS_PRIVATE)
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = await discover(
    url,
    fetchFn,
  )
  const scope = scopeOf(resourceMetadata?.scopes_supported, authorizationServerMetadata)
  const client =
    known.entered ??
    ownDocument(authorizationServerMetadata, deps.publicUrl(), callback) ??
    (await register(authorizationServerUrl, authorizationServerMetadata, { callback, scope, fetchFn }))
  const service = describe(authorizationServerMetadata, client, scope, resourceMetadata?.resource ?? null)
  await keepClient(deps.db, setId, deps.secrets.seal(JSON.stringify({ ...known, service, callback })))
  return service
}

/** @throws AppError `not_available` if a server does not say where to sign in, `unavailable` */
export async function assertSignsIn({ outbound, config }: OwnToolDeps, url: string): Promise<void> {
  await discover(url, createFetch(outbound, config.ATRIUM_TOOLS_PRIVATE))
}

async function discover(url: string, fetchFn: ReturnType<typeof createFetch>) {
  const found = await readMetadata(url, fetchFn).catch((error) => {
    throw explain(error, url)
  })
  const { authorizationServerUrl, authorizationServerMetadata } = found
  if (!authorizationServerMetadata) throw explain(null, url)
  const withoutSlash = (address: string) => address.replace(/\/$/, '')
  if (withoutSlash(authorizationServerMetadata.issuer) !== withoutSlash(authorizationServerUrl))
    throw explain(null, url)
  assertPage(authorizationServerMetadata.authorization_endpoint)
  const { resource } = found.resourceMetadata ?? {}
  // A server could otherwise request tokens for another server (RFC 9728, 7.3).
  if (
    resource !== undefined &&
    !checkResourceAllowed({ requestedResource: url, configuredResource: resource })
  )
    throw new AppError('not_available', `${new URL(url).host} asks for access to another server: ${resource}`)
  return { ...found, authorizationServerMetadata }
}

/** Reads the metadata at its usual address, otherwise where the server's refusal says it is (RFC 9728, 5.1). */
async function readMetadata(url: string, fetchFn: ReturnType<typeof createFetch>) {
  // Issuers are compared here: services differ in the slash at their end.
  const read = (resourceMetadataUrl?: URL) =>
    discoverOAuthServerInfo(url, {
      fetchFn,
      skipIssuerMetadataValidation: true,
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
    })
  const [usual] = await Promise.allSettled([read()])
  if (usual.status === 'fulfilled' && usual.value.resourceMetadata) return usual.value
  const named = await placeOfMetadata(url, fetchFn).catch(() => undefined)
  if (named) return read(named)
  if (usual.status === 'rejected') throw usual.reason
  return usual.value
}

async function placeOfMetadata(url: string, fetchFn: ReturnType<typeof createFetch>) {
  const refusal = await fetchFn(url)
  await refusal.body?.cancel()
  return extractWWWAuthenticateParams(refusal).resourceMetadataUrl
}

type Client = { id: string; secret: string | null; method?: ClientMethod | null }
type Registration = { callback: string; scope: string; fetchFn: ReturnType<typeof createFetch> }

/** The client that is a document of ours, for services that read one; null where they cannot. */
function ownDocument(
  metadata: AuthorizationServerMetadata & { client_id_metadata_document_supported?: boolean | undefined },
  publicUrl: string,
  callback: string,
): Client | null {
  if (metadata.client_id_metadata_document_supported !== true) return null
  const document = clientDocument(publicUrl)
  if (!document?.redirect_uris.includes(callback)) return null
  return { id: document.client_id, secret: null, method: 'none' }
}

async function register(
  address: string,
  metadata: AuthorizationServerMetadata,
  { callback, scope, fetchFn }: Registration,
): Promise<Client> {
  if (!metadata.registration_endpoint)
    throw new AppError(
      'not_available',
      `${new URL(address).host} does not allow automatic registration. Register Atrium there with the address ${callback}, and enter the client.`,
    )
  const methods = metadata.token_endpoint_auth_methods_supported ?? []
  const method = ['client_secret_post', 'client_secret_basic', 'none'].find((one) => methods.includes(one))
  try {
    const made = await registerClient(address, {
      ...{ metadata, fetchFn },
      clientMetadata: {
        ...{ client_name: 'Atrium', redirect_uris: [callback], response_types: ['code'] },
        ...{ grant_types: ['authorization_code', 'refresh_token'], application_type: 'web' },
        token_endpoint_auth_method: method ?? 'client_secret_post',
        ...(scope === '' ? {} : { scope }),
      },
    })
    return {
      ...{ id: made.client_id, secret: made.client_secret ?? null },
      method: ClientMethod.safeParse(made.token_endpoint_auth_method).data ?? null,
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('not_available', `${new URL(address).host} did not register Atrium.`, { cause: error })
  }
}

function describe(
  metadata: AuthorizationServerMetadata,
  { id, secret, method = null }: Client,
  scope: string,
  resource: string | null,
): Service {
  const { issuer, authorization_endpoint: authorize, token_endpoint: token } = metadata
  const { revocation_endpoint } = metadata as { revocation_endpoint?: string }
  return {
    ...{ issuer, authorize, token, revoke: revocation_endpoint ?? null, scope, resource },
    methods: metadata.token_endpoint_auth_methods_supported ?? [],
    names_itself:
      (metadata as { authorization_response_iss_parameter_supported?: boolean })
        .authorization_response_iss_parameter_supported === true,
    ...{ client_id: id, client_secret: secret, method },
  }
}

/** Returns the scopes the server wants, plus long-lived access if the service supports it. */
function scopeOf(wanted: string[] = [], { scopes_supported = [] }: AuthorizationServerMetadata): string {
  const lasting = scopes_supported.includes('offline_access') ? ['offline_access'] : []
  return [...new Set([...wanted, ...lasting])].join(' ')
}

function explain(error: unknown, url: string): AppError {
  if (error instanceof AppError) return error
  const { host } = new URL(url)
  return new AppError('not_available', `${host} does not say where to sign in. Enter a header instead.`, {
    cause: error,
  })
}
