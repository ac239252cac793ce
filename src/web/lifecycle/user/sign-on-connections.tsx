import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { deleteSignOnConnection, type listSignOnConnections } from '#shared/identity/accounts/own-account.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { type Answer, call } from '../../platform/lib/api/call.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../platform/lib/me/roles.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { ConnectServices } from './connect-services.tsx'

type SignOnConnectionsProps = Answer<typeof listSignOnConnections> & { onChanged: () => void }

/** The sign-on services of a person, each with a button to disconnect it, except the only way to sign in. */
export function SignOnConnections({ items, others, has_password, onChanged }: SignOnConnectionsProps) {
  const { t } = useTranslation('common')
  const maySetUp = isSuperAdmin(useMe())
  const [asked, setAsked] = useState<string | null>(null)
  const ending = useMutation({
    mutationFn: (provider: string) => call(deleteSignOnConnection, { params: { provider } }),
    onSuccess: (_, provider) => {
      toast.success(t('user.connections.disconnected', { name: nameOf(provider) }))
      onChanged()
    },
    onSettled: () => setAsked(null),
  })
  const nameOf = (provider: string | null) => items.find((item) => item.provider === provider)?.name ?? ''
  const isOnlyWay = !has_password && items.length === 1
  return (
    <div className="grid gap-2.5">
      {items.length === 0 && (
        <p className="text-13 text-ink-3">
          {t('user.connections.empty')}{' '}
          {others.length === 0 && maySetUp && (
            <Link to="/admin" search={{ page: 'sign_on' } as never} className="text-accent hover:underline">
              {t('user.connections.set_up')}
            </Link>
          )}
        </p>
      )}
      <ul className="divide-y divide-line rounded-card border border-line empty:hidden">
        {items.map(({ provider, name, email, connected_at }) => (
          <li
            key={`${provider} ${connected_at}`}
            className="flex flex-wrap items-center gap-3 py-2.5 pr-3 pl-3.5"
          >
            <span className="inline-grid size-8 place-items-center rounded-row bg-surface-2 text-ink-2">
              <KeyRound aria-hidden className="icon" />
            </span>
            <div className="min-w-0 flex-1">
              <div className="flex items-center gap-2 text-13 font-medium">
                {name}
                <Badge tone="success" icon={<CircleCheck aria-hidden />}>
                  {t('user.connections.connected')}
                </Badge>
              </div>
              <div className="truncate text-12 text-ink-3">
                {[email, t('user.connections.since', { date: formatDate(connected_at) })]
                  .filter(Boolean)
                  .join(' · ')}
              </div>
            </div>
            <Button
              size="sm"
              disabled={isOnlyWay}
              aria-label={t('user.connections.disconnect_named', { name })}
              onClick={() => setAsked(provider)}
            >
              {t('user.connections.disconnect')}
            </Button>
          </li>
        ))}
      </ul>
      {isOnlyWay && <p className="text-12 text-ink-3">{t('user.connections.only_way')}</p>}
      {ending.isError && (
        <Callout
          tone="danger"
          title={t('user.connections.disconnect_failed', { name: nameOf(ending.variables) })}
        >
          {errorText(t, ending.error)}
        </Callout>
      )}
      <ConnectServices others={others} hasPassword={has_password} />
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={t('user.connections.confirm_title', { name: nameOf(asked) })}
        message={t('user.connections.confirm_text')}
        confirmLabel={t('user.connections.disconnect')}
        busy={ending.isPending}
        onConfirm={() => asked && ending.mutate(asked)}
      />
    </div>
  )
}
