import { API_BASE } from '#shared/platform/http.ts'
import type { Platform } from '../../../../platform/platform.ts'
import { readCertificates } from './signing-key.ts'

type Deps = Pick<Platform, 'config' | 'db' | 'clock' | 'publicUrl' | 'secrets'>

/**
 * Returns Atrium's metadata for an identity provider, with the certificates of the current key and of the next one. Anybody may read
 * them, so it loads no library.
 */
export async function describeAtrium(deps: Deps, providerId: string): Promise<string> {
  const keys = (await readCertificates(deps)).map(describeKey)
  const at = (path: string) => escapeXml(`${deps.publicUrl()}${API_BASE}/login/${providerId}/${path}`)
  return [
    '<?xml version="1.0"?>',
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escapeXml(entityIdOf(deps, providerId))}">`,
    '  <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" AuthnRequestsSigned="true" WantAssertionsSigned="true">',
    ...keys,
    `    <SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${escapeXml(`${deps.publicUrl()}/login`)}"/>`,
    `    <AssertionConsumerService index="1" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${at('callback')}"/>`,
    '  </SPSSODescriptor>',
    '</EntityDescriptor>',
  ].join('\n')
}

const describeKey = (certificate: string) =>
  `    <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Returns Atrium's entity id at a provider. */
export function entityIdOf({ config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>, id: string): string {
  const own = id === 'saml' ? config.SAML_ENTITY_ID : undefined
  return own ?? `${publicUrl()}${API_BASE}/login/${id}/metadata`
}
