import * as z from 'zod/mini'

/** Kinds of personal details that can be replaced before a call leaves the installation. */
export const MaskKind = z.enum(['person', 'address', 'email', 'phone', 'iban', 'card', 'identity', 'birth'])
export type MaskKind = z.infer<typeof MaskKind>
