import { AppError } from '#shared/platform/errors.ts'
import type { Config } from './config.ts'

/** Returns the names of those settings that the environment sets. */
export function givenOf<Name extends keyof Config>(config: Config, ...names: Name[]): Name[] {
  return names.filter((name) => config[name] !== undefined)
}

/** Refuses to change a setting that the environment fixes. @throws AppError `conflict`, naming the variables */
export function assertFree(fixedBy: string[]): void {
  if (fixedBy.length === 0) return
  const are = fixedBy.length > 1 ? 'are' : 'is'
  throw new AppError('conflict', `${fixedBy.join(' and ')} ${are} set in the environment: change it there.`)
}
