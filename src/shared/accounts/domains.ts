import * as z from 'zod/mini'

/** A DNS record of the domain, or the word of a super admin. */
export const DomainProof = z.enum(['dns', 'super_admin'])
export type DomainProof = z.infer<typeof DomainProof>
