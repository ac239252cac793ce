import * as z from 'zod/mini'

/** Environment variables that fix a setting. Empty when administrators can change it. */
export const FixedBy = z.array(z.string())
