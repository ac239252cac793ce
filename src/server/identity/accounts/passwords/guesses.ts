import type { Platform } from '../../../platform/platform.ts'
import { assertTurn, countTurns, forgetAbout, giveTurnBack, takeTurn } from '../rate-limit-store.ts'

/** A password attempt: its target (user id or typed name) and its origin. */
export type Guess = {
  who: string
  address: string
  /** A known device or token as the origin; null for a stranger. */
  known: Buffer | null
}

/** Failures after which strangers must wait: 15 s, doubled after every ten more, up to 15 minutes. */
const patience = 20
const firstPauseSeconds = 15
const longestPauseSeconds = 15 * 60

/**
 * Counts an attempt before it is checked. Strangers are counted by name and address, and by name across addresses. Known
 * devices are counted separately, so strangers cannot lock them out. Refused attempts are not counted.
 * @throws AppError `rate_limited`
 */
export async function countGuess(deps: Pick<Platform, 'db' | 'clock'>, { who, address, known }: Guess) {
  if (known) {
    const device = known.toString('hex')
    await takeTurn(deps, 'sign_in_known', device, { about: device })
    await takeTurn(deps, 'sign_in_known_day', device, { about: device })
    return
  }
  await takeTurn(deps, 'sign_in_address', address)
  await assertTurn(deps, 'sign_in_account', at(who, address))
  await assertTurn(deps, 'sign_in_account_day', who)
  const seconds = pauseAfter(await countTurns(deps, 'sign_in_account_day', who))
  if (seconds > 0) await takeTurn(deps, 'sign_in_pause', who, { about: who, seconds })
  await takeTurn(deps, 'sign_in_account', at(who, address), { about: who })
  await takeTurn(deps, 'sign_in_account_day', who, { about: who })
}

/** Removes the count of a successful attempt; other attempts stay counted. */
export async function forgiveGuess(
  deps: Pick<Platform, 'db'>,
  { who, address, known }: Guess,
): Promise<void> {
  if (known) {
    await forgetAbout(deps, known.toString('hex'))
    return
  }
  await giveTurnBack(deps, 'sign_in_address', address)
  await giveTurnBack(deps, 'sign_in_account', at(who, address))
  await giveTurnBack(deps, 'sign_in_account_day', who)
  await giveTurnBack(deps, 'sign_in_pause', who)
}

/** Ends all lock-outs of a user, for every address. */
export function endLockOut(deps: Pick<Platform, 'db'>, userId: string): Promise<void> {
  return forgetAbout(deps, userId)
}

function pauseAfter(failures: number): number {
  if (failures < patience) return 0
  return Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.floor((failures - patience) / 10))
}

const at = (who: string, address: string) => `${who} ${address}`
