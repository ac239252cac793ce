import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { generate } from 'selfsigned'
import { SignedXml } from 'xml-crypto'

const ENTRY = 'http://127.0.0.1:9/sso'
export const SAML_ISSUER = 'https://idp.example.com'

/** Content of an assertion; each field may be false. */
export type Said = {
  id: string
  issuer: string
  audience: string
  recipient: string
  destination: string
  inResponseTo: string | null
  nameId: string
  nameIdFormat: string
  email: string
  /** Null sends the link that Entra sends beyond its limit. */
  groups: string[] | null
  seconds: number
}

/** Creates a SAML identity provider whose answers are set by the test and signed with its key; its metadata is a file. */
export async function aSamlProvider() {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-saml-'))
  const own = await generate([{ name: 'commonName', value: 'idp' }], { keySize: 2048, algorithm: 'sha256' })
  const other = await generate([{ name: 'commonName', value: 'evil' }], {
    keySize: 2048,
    algorithm: 'sha256',
  })
  const metadata = join(folder, 'metadata.xml')
  writeFileSync(metadata, describe(own.cert.replace(/-----[^-]+-----|\s/g, '')))
  return {
    metadata,
    /** Returns a signed assertion inside an answer; `with` uses another key, as an attacker would. */
    sign: (xml: string, what: 'Assertion' | 'Response' = 'Assertion', key: 'own' | 'other' = 'own') =>
      sign(xml, what, key === 'own' ? own.private : other.private),
    /** Signs with the given algorithms. */
    signWith: (xml: string, algorithms: Partial<typeof sha256>) =>
      sign(xml, 'Assertion', own.private, { ...sha256, ...algorithms }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Returns the authentication request of a visit to the identity provider. */
export function readRequest(location: string): { id: string; relayState: string; acs: string; xml: string } {
  const asked = new URL(location).searchParams
  const xml = String(inflateRawSync(Buffer.from(asked.get('SAMLRequest') ?? '', 'base64')))
  const attribute = (name: string) => xml.split(` ${name}="`)[1]?.split('"')[0] ?? ''
  return {
    id: attribute('ID'),
    acs: attribute('AssertionConsumerServiceURL'),
    relayState: asked.get('RelayState') ?? '',
    xml,
  }
}

/** Returns an unsigned answer. */
export function anAnswer(said: Said): string {
  const now = new Date()
  const until = new Date(now.getTime() + said.seconds * 1000).toISOString()
  const at = new Date(now.getTime() - 1000).toISOString()
  const request = said.inResponseTo === null ? '' : ` InResponseTo="${said.inResponseTo}"`
  const values = said.groups?.map((name) => `<saml:AttributeValue>${name}</saml:AttributeValue>`).join('')
  const groups =
    values === undefined
      ? '<saml:Attribute Name="http://schemas.microsoft.com/claims/groups.link"><saml:AttributeValue>https://graph.windows.net/x</saml:AttributeValue></saml:Attribute>'
      : `<saml:Attribute Name="groups">${values}</saml:Attribute>`
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomBytes(8).toString('hex')}" Version="2.0" IssueInstant="${at}" Destination="${said.destination}"${request}><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${said.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${said.id}" Version="2.0" IssueInstant="${at}"><saml:Issuer>${said.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:${said.nameIdFormat}">${said.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData Recipient="${said.recipient}" NotOnOrAfter="${until}"${request}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>${said.email}</saml:AttributeValue></saml:Attribute><saml:Attribute Name="displayName"><saml:AttributeValue>Sam Example</saml:AttributeValue></saml:Attribute>${groups}</saml:AttributeStatement></saml:Assertion></samlp:Response>`
}

const sha256 = {
  signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
}

function sign(
  xml: string,
  what: 'Assertion' | 'Response',
  privateKey: string,
  { signature, digest } = sha256,
): string {
  const signer = new SignedXml({
    privateKey,
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  const xpath = `//*[local-name(.)='${what}']`
  signer.addReference({
    xpath,
    digestAlgorithm: digest,
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
  })
  const reference = `${xpath}/*[local-name(.)='Issuer']`
  signer.computeSignature(xml, { location: { reference, action: 'after' }, prefix: 'ds' })
  return signer.getSignedXml()
}

function describe(certificate: string): string {
  return `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${SAML_ISSUER}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${ENTRY}/post"/><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${ENTRY}"/></md:IDPSSODescriptor></md:EntityDescriptor>`
}
