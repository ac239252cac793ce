import { useMutation } from '@tanstack/react-query'
import { ImageUp, User as UserIcon } from 'lucide-react'
import { useRef } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { deletePicture, putPicture } from '#shared/identity/accounts/own-account.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { meQuery } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import OwnPicture from '../../platform/ui/own-picture.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { shrinkPicture } from './shrink-picture.ts'

/** The user's picture or initials. A new picture is scaled down in the browser. */
export function PictureSetting({ user }: { user: User }) {
  const { t } = useTranslation('common')
  const input = useRef<HTMLInputElement>(null)
  const saving = useMutation({
    mutationFn: async (file: File | null) => {
      if (!file) return call(deletePicture)
      const form = new FormData()
      form.append('file', await shrinkPicture(file), 'picture')
      return call(putPicture, { form })
    },
    onSuccess: (saved, file) => {
      queryClient.setQueryData(meQuery.queryKey, (me) => ({ ...me, ...saved }))
      toast.success(t(file ? 'user.picture.saved' : 'user.picture.removed'))
    },
  })
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <span
          aria-hidden
          className="relative inline-grid size-16 flex-none place-items-center overflow-hidden rounded-pill bg-surface-3 text-ink-2"
        >
          <UserIcon className="icon-20" />
          {user.picture_id && <OwnPicture id={user.picture_id} />}
        </span>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-label={t('user.picture.choose')}
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            target.value = ''
            if (file) saving.mutate(file)
          }}
        />
        <Button
          icon={<ImageUp aria-hidden className="icon" />}
          busy={saving.isPending && saving.variables !== null}
          onClick={() => input.current?.click()}
        >
          {t('user.picture.choose')}
        </Button>
        {user.picture_id && (
          <Button variant="ghost" disabled={saving.isPending} onClick={() => saving.mutate(null)}>
            {t('user.picture.remove')}
          </Button>
        )}
      </div>
      {saving.isError && (
        <Callout tone="danger">
          {isApiError(saving.error) ? errorText(t, saving.error) : t('user.picture.unreadable')}
        </Callout>
      )}
    </div>
  )
}
