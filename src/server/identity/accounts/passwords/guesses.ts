import type { Platform } from '../../../platform/platform.ts'
import { assertTurn, countTurns, forgetAbout, giveTurnBack, takeTurn } from '../rate-limit-store.ts'

/** One try of a password: for whom (a user id, or what was typed), and from where. */
export type Guess = {
  who: string
  address: string
  /** What is known of where it comes from: a browser that has signed in before, or a token. Null for a stranger. */
  known: Buffer | null
}

/** After so many failures of strangers they wait: 15 s, twice as long after every ten more, up to 15 minutes. */
const patience = 20
const firstPauseSeconds = 15
const longestPauseSeconds = 15 * 60

/**
 * Counts a try before it is looked at. Strangers are counted by name and address, and together by name; known ones
 * are counted apart, so a stranger cannot lock them out. A refused try spends nothing that others could use.
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

/** A right password was no failure: its own turns are given back, those of others stay counted. */
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

/** Ends every lock of a user, at every address. */
export function endLockOut(deps: Pick<Platform, 'db'>, userId: string): Promise<void> {
  return forgetAbout(deps, userId)
}

function pauseAfter(failures: number): number {
  if (failures < patience) return 0
  return Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.floor((failures - patience) / 10))
}

const at = (who: string, address: string) => `${who} ${address}`
