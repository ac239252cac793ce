import { KeyObject } from 'node:crypto'

/** A private key as PEM text, and its certificate as base64 of the DER form. */
export type KeyPair = { key: string; certificate: string }

const YEARS = 10
const algorithm = {
  ...{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 3072 },
  publicExponent: new Uint8Array([1, 0, 1]),
}

/** Creates an RSA key with a self-signed certificate (X.509 v3) that is valid for ten years. */
export async function createSelfSigned(name: string, now: Date): Promise<KeyPair> {
  // The library needs it, and leaves loading it to the program.
  await import('reflect-metadata')
  const { X509CertificateGenerator } = await import('@peculiar/x509')
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const notAfter = new Date(now)
  notAfter.setUTCFullYear(now.getUTCFullYear() + YEARS)
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...{ name: `CN=${name}`, notBefore: new Date(now.getTime() - 3_600_000), notAfter },
    ...{ signingAlgorithm: algorithm, keys },
  })
  return {
    key: String(KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })),
    certificate: Buffer.from(certificate.rawData).toString('base64'),
  }
}
