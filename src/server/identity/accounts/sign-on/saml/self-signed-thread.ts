import { KeyObject } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
// @peculiar/x509 expects this polyfill.
import 'reflect-metadata'
import { X509CertificateGenerator } from '@peculiar/x509'
import { lowerPriority } from '../../../../platform/process/lower-priority.ts'
import type { KeyPair } from './self-signed.ts'

// HTTP requests come first.
lowerPriority(10)

const YEARS = 10
const algorithm = {
  ...{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 3072 },
  publicExponent: new Uint8Array([1, 0, 1]),
}

const { name, now } = workerData as { name: string; now: Date }
const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
const notAfter = new Date(now)
notAfter.setUTCFullYear(now.getUTCFullYear() + YEARS)
const certificate = await X509CertificateGenerator.createSelfSigned({
  ...{ name: `CN=${name}`, notBefore: new Date(now.getTime() - 3_600_000), notAfter },
  ...{ signingAlgorithm: algorithm, keys },
})
parentPort?.postMessage({
  key: String(KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })),
  certificate: Buffer.from(certificate.rawData).toString('base64'),
} satisfies KeyPair)
