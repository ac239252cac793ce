import { AppError } from '#shared/platform/errors.ts'

/**
 * Limits after which a repeatedly lost run is given up; docs/decisions/0007 explains them. Counts consecutive losses
 * without a new record in between.
 */
const SILENT_MOST = 3
const FRUITLESS_MOST = 10
/** From this count on a run may itself crash its process, so it is resumed alone. */
const SUSPECT_FROM = 2

export type Losses = { fruitless: number; silent: number }
export const NO_LOSSES: Losses = { fruitless: 0, silent: 0 }

/**
 * Returns the fate of a run with these losses: it resumes, it ends from its journal, or, when that attempt was
 * lost too, it ends without reading its journal.
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
