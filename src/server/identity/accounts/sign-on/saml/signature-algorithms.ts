import { SaxesParser } from 'saxes'

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#'

/** RSA and ECDSA with SHA-2, by their XML signature URIs (RFC 9231). */
const modern = new Set([
  ...['rsa-sha256', 'rsa-sha384', 'rsa-sha512', 'ecdsa-sha256', 'ecdsa-sha384', 'ecdsa-sha512'].map(
    (name) => MORE + name,
  ),
  ...['sha256', 'sha384', 'sha512'].map((name) => `http://www.w3.org/2007/05/xmldsig-more#${name}-rsa-MGF1`),
  ...[`${ENCRYPTION}sha256`, `${ENCRYPTION}sha512`, `${MORE}sha384`],
])

const sha1 = new Set([
  'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  'http://www.w3.org/2000/09/xmldsig#sha1',
  'http://www.w3.org/2007/05/xmldsig-more#sha1-rsa-MGF1',
])

/**
 * Checks every signature and digest algorithm in a response. SHA-1 is accepted only when a setting allows it.
 * @throws for any other algorithm
 */
export function assertModernSignatures(response: string, { allowsSha1 }: { allowsSha1: boolean }): void {
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    if (!/^(?:[^:]*:)?(?:SignatureMethod|DigestMethod)$/.test(name)) return
    const algorithm = String(attributes.Algorithm ?? '')
    if (modern.has(algorithm) || (allowsSha1 && sha1.has(algorithm))) return
    throw new Error(
      sha1.has(algorithm)
        ? 'The SAML answer is signed with SHA-1. Have the service sign with SHA-256, or set SAML_SHA1=on.'
        : `The SAML answer is signed with ${algorithm.slice(0, 100)}, which is not accepted.`,
    )
  })
  parser.write(Buffer.from(response, 'base64').toString('utf8')).close()
}
