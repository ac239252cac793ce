import type { Platform } from '../../../platform/platform.ts'

export type AccountDeps = Pick<Platform, 'db' | 'config' | 'secrets' | 'outbound' | 'clock'>
