import * as z from 'zod/mini'

/** The variables of the environment that decide a setting: it can be changed there only. None while the administration decides. */
export const FixedBy = z.array(z.string())
