import { lazy } from 'react'
import { loadTexts } from '../../platform/i18n/i18n.ts'

export { canUsePasskeys } from './can-use-passkeys.ts'

/** Second sign-in step, after a correct password. */
export const SecondStep = lazy(() =>
  import('./second-step.tsx').then((file) => ({ default: file.SecondStep })),
)

/** Signs in with a passkey, if the browser supports them. */
export const PasskeyButton = lazy(() =>
  import('./passkey-button.tsx').then((file) => ({ default: file.PasskeyButton })),
)

/** Authenticator app setup: a secret to scan or type, and a first code as proof. */
export const CodeAppSetUp = lazy(async () => {
  const [file] = await Promise.all([import('./code-app-set-up.tsx'), loadTexts('login')])
  return { default: file.CodeAppSetUp }
})

/** Recovery codes, shown once. */
export const RecoveryCodes = lazy(async () => {
  const [file] = await Promise.all([import('./recovery-codes.tsx'), loadTexts('login')])
  return { default: file.RecoveryCodes }
})
