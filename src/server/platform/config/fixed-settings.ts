import { AppError } from '#shared/platform/errors.ts'
import type { Config } from './config.ts'

/** Those of these settings that the environment gives. */
export function givenOf<Name extends keyof Config>(config: Config, ...names: Name[]): Name[] {
  return names.filter((name) => config[name] !== undefined)
}

/** A setting that the environment decides is changed there only. @throws AppError `conflict`, naming the variables */
export function assertFree(fixedBy: string[]): void {
  if (fixedBy.length === 0) return
  const are = fixedBy.length > 1 ? 'are' : 'is'
  throw new AppError('conflict', `${fixedBy.join(' and ')} ${are} set in the environment: change it there.`)
}
