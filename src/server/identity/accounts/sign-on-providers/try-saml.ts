import { X509Certificate } from 'node:crypto'
import type { SamlSettings, TestResult } from '#shared/identity/accounts/sign-on-providers.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type IdentityProvider, readStoredMetadata } from '../sign-on/saml/read-metadata.ts'
import { failed, result, skipped } from './describe-trouble.ts'

const DAY_MS = 86_400_000
const SOON_DAYS = 30
const MAX_CERTIFICATES = 10

/** Tries an identity provider: reads its metadata and lists its certificates. Signs no one in. */
export async function trySaml(
  { outbound, clock }: Pick<Platform, 'outbound' | 'clock'>,
  settings: SamlSettings,
): Promise<TestResult[]> {
  const began = performance.now()
  try {
    const found = await readStoredMetadata(outbound, settings.metadata)
    const facts = [
      ['entity_id', found.issuer],
      ['sign_in', found.entryPoint],
      ['sign_out', found.logoutPoint],
      ['milliseconds', Math.round(performance.now() - began)],
    ] as const
    const lacksLogout = settings.signs_out && !found.logoutPoint
    const metadata = lacksLogout
      ? result('metadata', 'warning', facts, { problem: 'no_sign_out' })
      : result('metadata', 'passed', facts)
    return [metadata, ...listCertificates(found, clock.now())]
  } catch (error) {
    return [failed('metadata', error), ...skipped('certificates')]
  }
}

/** Returns one result per certificate. One that has ended is a warning while another is valid. */
function listCertificates({ certificates }: IdentityProvider, now: Date): TestResult[] {
  const read = certificates.slice(0, MAX_CERTIFICATES).map((text) => readCertificate(text, now))
  const isAnyValid = read.some((one) => one !== null && one.daysLeft >= 0)
  return read.map((one) => {
    if (!one) return result('certificates', 'failed', [], { problem: 'not_readable' })
    const { fingerprint, until, daysLeft } = one
    const facts = [
      ['fingerprint', fingerprint],
      ['valid_until', until.toISOString()],
      ['days_left', Math.max(0, daysLeft)],
    ] as const
    if (daysLeft < 0)
      return result('certificates', isAnyValid ? 'warning' : 'failed', facts, { problem: 'expired' })
    if (daysLeft < SOON_DAYS) return result('certificates', 'warning', facts, { problem: 'expires_soon' })
    return result('certificates', 'passed', facts)
  })
}

function readCertificate(text: string, now: Date) {
  try {
    const { fingerprint256: fingerprint, validTo } = new X509Certificate(Buffer.from(text, 'base64'))
    const until = new Date(validTo)
    return { fingerprint, until, daysLeft: Math.floor((until.getTime() - now.getTime()) / DAY_MS) }
  } catch {
    return null
  }
}
