import { useQuery } from '@tanstack/react-query'
import { KeyRound, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '#shared/identity/accounts/passkeys.ts'
import { canUsePasskeys } from '../../../identity/second-factor/second-factor.tsx'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { ConfirmDialog } from '../../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { PasskeyName } from './passkey-name.tsx'
import { ProofForm } from './proof-form.tsx'

type Stage =
  | { kind: 'rest' }
  | { kind: 'proof' }
  | { kind: 'name'; made: Made }
  | { kind: 'rename'; passkey: Passkey }

type Body = NonNullable<Parameters<typeof call<typeof addPasskey>>[1]>['body']
type Made = Pick<Body, 'challenge' | 'response'>

/** The user's passkeys; adds, renames and removes them. */
export function PasskeySetting() {
  const { t } = useTranslation('common')
  const { data, error, refetch } = useQuery({
    queryKey: ['passkeys'],
    queryFn: ({ signal }) => call(listPasskeys, { signal }),
  })
  const [stage, setStage] = useState<Stage>({ kind: 'rest' })
  const [leaving, setLeaving] = useState<Passkey | null>(null)
  const rest = () => {
    setStage({ kind: 'rest' })
    void refetch()
  }
  const remove = async ({ id }: Passkey) => {
    setLeaving(null)
    await call(removePasskey, { params: { passkeyId: id } }).then(
      () => toast.success(t('user.passkeys.removed')),
      (failure) => toast.error(errorText(t, failure)),
    )
    rest()
  }
  if (error) return <Callout tone="danger">{t('user.passkeys.load_failed')}</Callout>
  return (
    <div className="grid gap-3">
      {data && data.items.length > 0 && (
        <ul className="divide-y divide-line rounded-card border border-line">
          {data.items.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setStage({ kind: 'rename', passkey })}
              onRemove={() => setLeaving(passkey)}
            />
          ))}
        </ul>
      )}
      {stage.kind === 'rest' &&
        (canUsePasskeys() ? (
          <Button className="justify-self-start" onClick={() => setStage({ kind: 'proof' })}>
            {t('user.passkeys.add')}
          </Button>
        ) : (
          <p className="text-13 text-ink-3">{t('user.passkeys.unsupported')}</p>
        ))}
      <div className="max-w-90">
        {stage.kind === 'proof' && (
          <ProofForm
            failed={t('user.passkeys.not_made')}
            onProof={async (body) => setStage({ kind: 'name', made: await make(body) })}
            onCancel={rest}
          />
        )}
        {stage.kind === 'name' && (
          <PasskeyName
            onName={async (name) => {
              await call(addPasskey, { body: { ...stage.made, name } })
              toast.success(t('user.passkeys.changed'))
              rest()
            }}
            onCancel={rest}
          />
        )}
        {stage.kind === 'rename' && (
          <PasskeyName
            key={stage.passkey.id}
            before={stage.passkey.name}
            onName={async (name) => {
              await call(renamePasskey, { params: { passkeyId: stage.passkey.id }, body: { name } })
              rest()
            }}
            onCancel={rest}
          />
        )}
      </div>
      <ConfirmDialog
        open={leaving !== null}
        onOpenChange={(open) => open || setLeaving(null)}
        title={t('user.passkeys.confirm_title', { name: leaving?.name ?? '' })}
        message={t('user.passkeys.confirm_text')}
        onConfirm={() => leaving && void remove(leaving)}
      />
    </div>
  )
}

type PasskeyRowProps = { passkey: Passkey; onRename: () => void; onRemove: () => void }

function PasskeyRow({ passkey: { name, created_at, last_used_at }, onRename, onRemove }: PasskeyRowProps) {
  const { t } = useTranslation('common')
  const added = t('user.passkeys.added', { date: formatDate(created_at) })
  const used = last_used_at
    ? t('user.passkeys.used', { date: formatDate(last_used_at) })
    : t('user.passkeys.never')
  return (
    <li className="flex items-center gap-3 py-2.5 pr-3 pl-3.5">
      <KeyRound aria-hidden className="icon flex-none text-ink-2" />
      <div className="min-w-0 flex-1">
        <div className="truncate text-13 font-medium">{name}</div>
        <div className="num text-12 text-ink-3">
          {added} · {used}
        </div>
      </div>
      <IconButton size="sm" name={t('user.passkeys.rename', { name })} onClick={onRename}>
        <Pencil aria-hidden className="icon-14" />
      </IconButton>
      <IconButton size="sm" name={t('user.passkeys.remove', { name })} onClick={onRemove}>
        <Trash2 aria-hidden className="icon-14" />
      </IconButton>
    </li>
  )
}

async function make(body: { current_password?: string }): Promise<Made> {
  const [{ startRegistration }, { options, challenge }] = await Promise.all([
    import('@simplewebauthn/browser'),
    call(beginPasskey, { body }),
  ])
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  const response = (await startRegistration({ optionsJSON })) as unknown as Made['response']
  return { challenge, response }
}
