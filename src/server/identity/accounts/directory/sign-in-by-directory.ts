import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { deactivated } from '../may-enter.ts'
import { findSignOnUser, SignOnError, type SignOnFailure } from '../sign-on/sign-on.ts'
import { welcomeBack } from './check-people.ts'
import type { Directory } from './directory.ts'

/**
 * Returns the account from the first directory that accepts the name and password; null when all reject them.
 * @throws AppError `directory_unavailable` when one could not be asked and no other accepts them, and as below
 */
export async function signInByDirectories(
  deps: Platform,
  directories: readonly Directory[],
  form: { username: string; password: string },
  mayBeFirst: () => Promise<boolean>,
): Promise<{ id: string } | null> {
  let unavailable: unknown
  for (const directory of directories) {
    try {
      const found = await signInByDirectory(deps, directory, form, mayBeFirst)
      if (found) return found
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'directory_unavailable')) throw error
      unavailable ??= error
    }
  }
  if (unavailable) throw unavailable
  return null
}

/**
 * Returns the account for a directory name and password, created at the first sign-in; null when the directory rejects them.
 * @throws AppError `directory_unavailable`, and the reason a known user may not enter
 */
async function signInByDirectory(
  deps: Platform,
  directory: Directory,
  { username, password }: { username: string; password: string },
  mayBeFirst: () => Promise<boolean>,
): Promise<{ id: string } | null> {
  const claims = await directory.find(username, password)
  if (!claims) return null
  await welcomeBack(deps, directory, claims.subject)
  try {
    return await findSignOnUser(deps, directory.id, claims, mayBeFirst)
  } catch (error) {
    if (error instanceof SignOnError) throw describe(error.failure)
    throw error
  }
}

function describe(failure: SignOnFailure): AppError {
  if (failure === 'beta_required') return new AppError('beta_required', 'Beta access required')
  if (failure === 'account_deactivated') return deactivated()
  if (failure === 'setup_code_required')
    return new AppError('setup_code_required', 'The first account is created with the setup code.')
  if (failure === 'address_taken')
    return new AppError(
      'conflict',
      'Your e-mail address belongs to the account of somebody else whom the directory listed. Ask an administrator to release the address of that account.',
    )
  if (failure === 'sign_in_first')
    return new AppError(
      'conflict',
      'An account with this e-mail address exists already. Use its own password, or ask an administrator to release its address.',
    )
  return new AppError('forbidden', 'The directory knows no e-mail address of yours. Ask your administrator.')
}
