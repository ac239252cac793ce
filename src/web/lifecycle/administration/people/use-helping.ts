import { useMutation } from '@tanstack/react-query'
import { resendVerification } from '#shared/identity/accounts/accounts.ts'
import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import * as contract from '#shared/identity/administration/helping.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { readAgain } from '../use-managed.ts'

export type Help =
  | 'password'
  | 'verification'
  | 'sign_out'
  | 'second_factor'
  | 'release'
  | 'deactivate'
  | 'reactivate'

/** Runs a support action on a user, or locks them out, and shows the result. */
export function useHelping(onDone?: () => void) {
  const { t } = useTranslation('admin')
  return useMutation({
    mutationFn: async ({ user, help }: { user: ManagedUser; help: Help }) => {
      const params = { userId: user.id }
      switch (help) {
        case 'password':
          return (await call(contract.sendPasswordResetTo, { params })).is_mailed
        case 'verification':
          return call(resendVerification, { body: { email: user.email } })
        case 'sign_out':
          return call(contract.endSignInsOf, { params })
        case 'second_factor':
          return call(contract.resetSecondFactorOf, { params })
        case 'release':
          return call(contract.releaseAddress, { params })
        case 'deactivate':
          return call(contract.deactivateUser, { params })
        case 'reactivate':
          return call(contract.reactivateUser, { params })
        default:
          return help satisfies never
      }
    },
    onSuccess: (answer, { help }) => {
      const key = help === 'password' && answer === false ? 'password_in_outbox' : help
      toast.success(t(`administration.help.${key}.done`))
    },
    onError: (error) => toast.error(errorText(t, error)),
    onSettled: async () => {
      onDone?.()
      await readAgain()
    },
  })
}
