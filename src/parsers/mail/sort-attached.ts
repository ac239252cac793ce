import type { Job } from '../elements/port.ts'

export type Attached = { name: string; type: string; bytes: Uint8Array }

/**
 * Removes attachments that are not files of a person: signatures, and bodies that cannot be read here, which the mail
 * reports: encrypted or sealed ones (S/MIME, PGP).
 */
export function sortAttached(job: Pick<Job, 'warn'>, attached: Attached[]): Attached[] {
  const is = (pattern: RegExp) => (one: Attached) =>
    pattern.test(`${one.type.toLowerCase()} ${one.name.toLowerCase()}`)
  const isSignature = is(/^application\/(x-)?(pkcs7|pgp)-signature| smime\.p7s$/)
  const isEncrypted = is(
    /^application\/(x-)?pkcs7-mime|^application\/pgp-encrypted| smime\.p7m$| encrypted\.asc$/,
  )
  if (attached.some(isEncrypted)) job.warn({ code: 'mail_encrypted' })
  return attached.filter((one) => !isSignature(one) && !isEncrypted(one))
}
