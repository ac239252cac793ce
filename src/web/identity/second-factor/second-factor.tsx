import { lazy } from 'react'
import { loadTexts } from '../../platform/i18n/i18n.ts'

export { canUsePasskeys } from './can-use-passkeys.ts'

/** What follows a right password. */
export const SecondStep = lazy(() =>
  import('./second-step.tsx').then((file) => ({ default: file.SecondStep })),
)

/** Signs in with a passkey, where the browser has them. */
export const PasskeyButton = lazy(() =>
  import('./passkey-button.tsx').then((file) => ({ default: file.PasskeyButton })),
)

/** A secret to scan or type, and the first code that proves the app has it. */
export const CodeAppSetUp = lazy(async () => {
  const [file] = await Promise.all([import('./code-app-set-up.tsx'), loadTexts('login')])
  return { default: file.CodeAppSetUp }
})

/** The recovery codes, this once. */
export const RecoveryCodes = lazy(async () => {
  const [file] = await Promise.all([import('./recovery-codes.tsx'), loadTexts('login')])
  return { default: file.RecoveryCodes }
})
