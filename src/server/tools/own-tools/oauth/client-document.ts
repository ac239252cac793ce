import { API_BASE } from '#shared/platform/http.ts'
import { ACCOUNT_RETURN, CLIENT_DOCUMENT, type ClientDocument } from '#shared/tools/own-tools/accounts.ts'

/** Names that services on the internet cannot reach. */
const PRIVATE_NAME = /^(?:localhost|.*\.(?:localhost|local|internal|lan|home|test|invalid))\.?$/i

/**
 * The document that tells services who Atrium is (OAuth Client ID Metadata Document). Its address is the client id. Null for an
 * installation whose public address is no https address of the internet.
 */
export function clientDocument(publicUrl: string): ClientDocument | null {
  if (!isOnInternet(publicUrl)) return null
  return {
    client_id: `${publicUrl}${API_BASE}${CLIENT_DOCUMENT}`,
    client_name: 'Atrium',
    client_uri: publicUrl,
    redirect_uris: [`${publicUrl}${API_BASE}${ACCOUNT_RETURN}`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  }
}

/** An address of numbers may be private, and has no certificate that services trust. */
function isOnInternet(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  const isNumeric = /^[\d.]+$|^\[/.test(hostname)
  return protocol === 'https:' && hostname.includes('.') && !isNumeric && !PRIVATE_NAME.test(hostname)
}
