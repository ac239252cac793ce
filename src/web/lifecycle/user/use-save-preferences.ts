import { useMutation } from '@tanstack/react-query'
import { type User, updatePreferences } from '#shared/identity/accounts/accounts.ts'
import { chooseLanguage, translate } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { meQuery, refetchMe } from '../../platform/lib/me/me.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { changesOf, type PreferencesDraft } from './preferences-draft.ts'

/** Saves what differs from the stored user, refetches the user, and updates the interface language. */
export function useSavePreferences(user: User, onSaved: () => void) {
  return useMutation({
    mutationFn: (draft: PreferencesDraft) => call(updatePreferences, { body: changesOf(draft, user) }),
    onSuccess: async (saved, draft) => {
      queryClient.setQueryData(meQuery.queryKey, (me) => ({ ...me, ...saved }))
      onSaved()
      await refetchMe()
      if (draft.language !== user.language) await chooseLanguage(saved.language)
      toast.success(translate('common:user.save.saved'))
    },
  })
}
