import { useMutation } from '@tanstack/react-query'
import { CircleCheck, Laptop, LogOut, Monitor, Smartphone, Tablet, Terminal } from 'lucide-react'
import { useState } from 'react'
import { endSignIn, endSignIns, type SignIn } from '#shared/identity/accounts/own-account.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { lastUseText } from './last-use.ts'
import { placeOf } from './place-of.ts'

type DeviceListProps = { items: SignIn[]; onChanged: () => void }

/** Active sign-ins: each can be ended, or all but the current one. */
export function DeviceList({ items, onChanged }: DeviceListProps) {
  const { t } = useTranslation('common')
  const [isAsked, setAsked] = useState(false)
  const ending = useMutation({
    mutationFn: (one: SignIn) => call(endSignIn, { params: { signInId: one.id } }),
    onSuccess: (_, one) => toast.success(t('user.devices.signed_out', { device: nameOf(one, t) })),
    onSettled: onChanged,
  })
  const endingOthers = useMutation({
    mutationFn: () => call(endSignIns, { query: { except: 'this' } }),
    onSuccess: () => toast.success(t('user.devices.signed_out_others')),
    onSettled: () => {
      setAsked(false)
      onChanged()
    },
  })
  const failure = ending.error ?? endingOthers.error
  return (
    <div className="grid gap-2.5">
      <ul className="divide-y divide-line rounded-card border border-line">
        {items.map((one) => (
          <Device
            key={one.id}
            device={one}
            isEnding={ending.isPending && ending.variables.id === one.id}
            onEnd={() => ending.mutate(one)}
          />
        ))}
      </ul>
      {items.length > 1 && (
        <Button
          variant="danger-ghost"
          className="-ml-3 justify-self-start"
          icon={<LogOut aria-hidden className="icon-14" />}
          onClick={() => setAsked(true)}
        >
          {t('user.devices.sign_out_others')}
        </Button>
      )}
      {failure && (
        <Callout tone="danger" title={t('user.devices.failed')}>
          {errorText(t, failure)}
        </Callout>
      )}
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={t('user.devices.confirm_title')}
        message={t('user.devices.confirm_text')}
        confirmLabel={t('user.devices.sign_out_others')}
        busy={endingOthers.isPending}
        onConfirm={() => endingOthers.mutate()}
      />
    </div>
  )
}

type DeviceProps = { device: SignIn; isEnding: boolean; onEnd: () => void }

function Device({ device, isEnding, onEnd }: DeviceProps) {
  const { t } = useTranslation('common')
  const Icon = iconOf(device)
  const name = nameOf(device, t)
  const place = placeOf(device.address)
  const lastUse = lastUseText(device, new Date(), t)
  return (
    <li className="flex items-center gap-3 py-2.5 pr-3 pl-3.5">
      <span className="inline-grid size-8 flex-none place-items-center rounded-row bg-surface-2 text-ink-2">
        <Icon aria-hidden className="icon" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 text-13 font-medium">
          {name}
          {device.current && (
            <Badge tone="success" icon={<CircleCheck aria-hidden />}>
              {t('user.devices.this')}
            </Badge>
          )}
        </div>
        <div className="num truncate text-12 text-ink-3">
          {[place && t(`user.devices.${place}`), device.address].filter(Boolean).join(' · ')}
          <span className="md:hidden">
            {device.address && ' · '}
            {lastUse}
          </span>
        </div>
      </div>
      <span className="num flex-none text-12 text-ink-3 max-md:hidden">{lastUse}</span>
      {device.current ? (
        <span className="w-[84px] max-md:hidden" />
      ) : (
        <Button
          size="sm"
          busy={isEnding}
          aria-label={t('user.devices.sign_out_named', { device: name })}
          onClick={onEnd}
        >
          {t('user.devices.sign_out')}
        </Button>
      )}
    </li>
  )
}

function iconOf({ form, system }: SignIn) {
  if (form === 'computer') return system === 'macOS' ? Laptop : Monitor
  return { phone: Smartphone, tablet: Tablet, program: Terminal }[form]
}

function nameOf({ browser, system }: SignIn, t: TFunction): string {
  if (browser && system) return t('user.devices.browser_on', { browser, system })
  return browser ?? system ?? t('user.devices.unknown')
}
