import { tryJson } from '../foreign/foreign.ts'

type Fields = Record<string, unknown>

/**
 * Returns an answer of an OAuth service as the SDK accepts it, which refuses a whole answer for one field: null and empty texts count as
 * absent, and fields that the standards require but many services leave out are added. Other texts are unchanged.
 */
export function tidyOAuthAnswer(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(bytes)
  const given = tryJson(text) ?? readForm(text)
  if (!isFields(given)) return bytes
  const fields = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null && value !== ''),
  )
  return Buffer.from(JSON.stringify(tidyFields(fields)))
}

/** Returns the fields of an answer of older services, which send tokens as a form. */
function readForm(text: string): Fields | null {
  return /^(?:[\w.]+=[^&]*&)*(?:access_token|error)=/.test(text)
    ? Object.fromEntries(new URLSearchParams(text))
    : null
}

function tidyFields(fields: Fields): Fields {
  if (fields.access_token !== undefined) return tidyTokens(fields)
  if (fields.authorization_endpoint !== undefined) return tidyMetadata(fields)
  return fields.client_id !== undefined && fields.error === undefined ? tidyClient(fields) : fields
}

function tidyTokens({ access_token, token_type, expires_in, refresh_token, scope, iss }: Fields): Fields {
  const seconds = Number(expires_in)
  return {
    ...{ access_token, token_type: token_type ?? 'Bearer' },
    ...(Number.isFinite(seconds) && { expires_in: seconds }),
    ...(refresh_token !== undefined && { refresh_token }),
    ...(scope !== undefined && { scope: Array.isArray(scope) ? scope.join(' ') : scope }),
    ...(iss !== undefined && { iss }),
  }
}

const tidyMetadata = (fields: Fields): Fields => ({
  ...fields,
  response_types_supported: Array.isArray(fields.response_types_supported)
    ? fields.response_types_supported
    : ['code'],
})

/** Keeps the fields of a registered client that are in use. */
const tidyClient = ({ client_id, client_secret, token_endpoint_auth_method }: Fields): Fields => ({
  ...{ client_id: String(client_id), redirect_uris: [] },
  ...(client_secret !== undefined && { client_secret }),
  ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
})

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
