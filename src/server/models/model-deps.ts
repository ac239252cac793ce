import type { Platform } from '../platform/platform.ts'
import type { Models } from './models/models.ts'

/** The platform and the models: what features of this domain and above receive. */
export type ModelDeps = Platform & { models: Models }
