import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { connectSignOn } from '#shared/identity/accounts/own-account.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { PasswordInput } from '../../platform/ui/input.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'

type Service = { provider: string; name: string }

/** Further sign-on services the user can connect. Each opens the service's login page and returns here. */
export function ConnectServices({ others, hasPassword }: { others: Service[]; hasPassword: boolean }) {
  const { t } = useTranslation('common')
  const [asked, setAsked] = useState<Service | null>(null)
  const failure = useConnectReturn()
  return (
    <>
      {failure && <ConnectFailure reason={failure} />}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {others.map((service) => (
          <Button
            key={service.provider}
            size="sm"
            icon={<Plus aria-hidden className="icon-14" />}
            onClick={() => setAsked(service)}
          >
            {t('user.connections.connect_named', { name: service.name })}
          </Button>
        ))}
      </div>
      {asked && <ConnectDialog {...asked} hasPassword={hasPassword} onClose={() => setAsked(null)} />}
    </>
  )
}

function ConnectDialog({
  provider,
  name,
  hasPassword,
  onClose,
}: Service & { hasPassword: boolean; onClose: () => void }) {
  const { t } = useTranslation('common')
  const form = useId()
  const [password, setPassword] = useState('')
  const connecting = useMutation({
    mutationFn: () =>
      call(connectSignOn, {
        body: {
          provider,
          redirect_uri: `${location.origin}/user/security`,
          ...(hasPassword ? { current_password: password } : {}),
        },
      }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const failed = connecting.error && errorText(t, connecting.error)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('user.connections.connect_named', { name })}
      footer={
        <>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={connecting.isPending}>
            {t('user.connections.connect')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-3.5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!connecting.isPending) connecting.mutate()
        }}
      >
        <p className="text-13 text-ink-2">{t('user.connections.connect_text', { name })}</p>
        {hasPassword ? (
          <Field label={t('user.password.current')} error={failed}>
            <PasswordInput
              autoComplete="current-password"
              maxLength={256}
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          </Field>
        ) : (
          failed && <Callout tone="danger" title={failed} />
        )}
      </form>
    </Dialog>
  )
}

function ConnectFailure({ reason }: { reason: string }) {
  const { t } = useTranslation('login')
  const isKnown = ['connected_elsewhere', 'cancelled', 'expired', 'rate_limited'].includes(reason)
  return (
    <Callout tone="danger" title={t('common:user.connections.connect_failed')}>
      {isKnown && t(`sso_reasons.${reason}`)}
    </Callout>
  )
}

/** Removes the result of a sign-on from the URL and returns why it failed, or null. */
function useConnectReturn(): string | null {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const { connected, sso_error: failed } = useSearch({ strict: false }) as Record<string, string | undefined>
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    if (connected === undefined && failed === undefined) return
    if (failed === undefined) toast.success(t('user.connections.connect_done'))
    else setFailure(failed)
    void navigate({ to: '/user/security', search: {}, replace: true })
  }, [connected, failed, navigate, t])
  return failure
}
