import { AppError } from '#shared/platform/errors.ts'

/**
 * When a run that is lost with its process again and again is given up; docs/decisions/0007 tells why. Counted in a row,
 * without a record in between.
 */
const SILENT_MOST = 3
const FRUITLESS_MOST = 10
/** From here on a run may itself be what stops its process, and is taken up while nothing else is begun. */
const SUSPECT_FROM = 2

export type Losses = { fruitless: number; silent: number }
export const NO_LOSSES: Losses = { fruitless: 0, silent: 0 }

/**
 * What becomes of a run with these losses: it goes on, it ends with what its journal tells, or, when that was tried
 * and lost as well, it ends with what is known without its journal.
 */
export function judge({ silent, fruitless }: Losses): 'goes_on' | 'ends' | 'ends_unread' {
  if (silent > SILENT_MOST || fruitless > FRUITLESS_MOST) return 'ends_unread'
  return silent === SILENT_MOST || fruitless === FRUITLESS_MOST ? 'ends' : 'goes_on'
}

export const isSuspect = ({ silent }: Pick<Losses, 'silent'>) => silent >= SUSPECT_FROM

export function givenUp({ silent }: Losses): AppError {
  const why =
    silent >= SILENT_MOST
      ? 'stopped the server several times'
      : 'was interrupted again and again at the same place'
  return new AppError('broken', `This reply ${why} and was given up. Ask in another way or regenerate it.`)
}
