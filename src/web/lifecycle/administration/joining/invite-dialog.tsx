import { useId, useState } from 'react'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import { INVITATION_DAYS } from '#shared/identity/accounts/joining.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input, Textarea } from '../../../platform/ui/input.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { CompanyPicker } from '../company-picker.tsx'
import { useChosenCompany, useManagedCompanies } from '../use-managed.ts'
import { splitList } from './split-list.ts'
import { useInvite } from './use-invitations.ts'

type InviteDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  onInvited: () => void
}

const mostAtOnce = 50

/** Invites users by mail, or creates a link that is shown once. */
export function InviteDialog(props: InviteDialogProps) {
  const { t } = useTranslation('admin')
  const [link, setLink] = useState<{ href: string; company: string } | null>(null)
  const close = (open: boolean) => {
    if (!open) setLink(null)
    props.onOpenChange(open)
  }
  if (link) return <LinkDialog {...link} open={props.open} onOpenChange={close} />
  if (!props.open) return null
  return <InviteForm {...props} title={t('administration.invitations.invite')} onLink={setLink} />
}

type InviteFormProps = InviteDialogProps & {
  title: string
  onLink: (link: { href: string; company: string }) => void
}

function InviteForm({ open, onOpenChange, onInvited, onLink, title }: InviteFormProps) {
  const { t } = useTranslation('admin')
  const form = useId()
  const isSuper = isSuperAdmin(useMe())
  const { data: companies = [] } = useManagedCompanies()
  const [isByMail, setByMail] = useState(true)
  const [typed, setTyped] = useState('')
  const [company, choose] = useChosenCompany(companies)
  const [role, setRole] = useState<RoleName>('member')
  const [days, setDays] = useState(INVITATION_DAYS)
  const [isChecked, setChecked] = useState(false)
  const inviting = useInvite()
  const emails = splitList(typed)
  const roles: RoleName[] = ['member', 'company_admin', ...(isSuper ? (['super_admin'] as const) : [])]
  const wrong = problemOf(emails)
  const submit = () => {
    setChecked(true)
    if (!company || inviting.isPending || (isByMail && (wrong || emails.length === 0))) return
    inviting.mutate(
      { company_id: company.id, role, emails: isByMail ? emails : [], days },
      {
        onSuccess: ({ items, link }) => {
          onInvited()
          if (link) return onLink({ href: link, company: company.name })
          toast.success(t('administration.invitations.sent', { count: items.length }))
          onOpenChange(false)
        },
      },
    )
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      footer={
        <>
          <span className="mr-auto self-center text-12 text-ink-3">
            {t('administration.invitations.once')}
          </span>
          <Button onClick={() => onOpenChange(false)}>{t('common:actions.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={inviting.isPending}>
            {isByMail
              ? t('administration.invitations.send', { count: Math.max(1, emails.length) })
              : t('administration.invitations.make_link')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="grid gap-3.5"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Choice name={t('administration.invitations.way')}>
          <Segment isOn={isByMail} onClick={() => setByMail(true)}>
            {t('administration.invitations.by_mail')}
          </Segment>
          <Segment isOn={!isByMail} onClick={() => setByMail(false)}>
            {t('administration.invitations.by_link')}
          </Segment>
        </Choice>
        {isByMail && (
          <Field
            label={t('administration.invitations.emails')}
            hint={t('administration.invitations.emails_hint')}
            error={isChecked && wrong ? t(`administration.invitations.${wrong.text}`, wrong) : undefined}
          >
            <Textarea
              autoCapitalize="off"
              spellCheck={false}
              maxLength={20_000}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          </Field>
        )}
        <div className="grid justify-items-start gap-1.5">
          <span className="text-13 font-medium">{t('administration.invitations.company')}</span>
          <CompanyPicker
            name={t('administration.invitations.company')}
            companies={companies}
            value={company?.id ?? ''}
            emptyLabel=""
            onChoose={choose}
          />
        </div>
        <div className="grid grid-cols-2 gap-x-3">
          <Field label={t('administration.invitations.role')}>
            <Select
              value={role}
              onValueChange={(value) => setRole(value as RoleName)}
              options={roles.map((value) => ({ value, label: t(`administration.role.${value}`) }))}
            />
          </Field>
          <Field label={t('administration.invitations.ends_in')}>
            <Select
              value={String(days)}
              onValueChange={(value) => setDays(Number(value))}
              options={[1, 7, 14, 30].map((count) => ({
                value: String(count),
                label: t('administration.invitations.days', { count }),
              }))}
            />
          </Field>
        </div>
        {inviting.error && (
          <Callout tone="danger" title={t('administration.invitations.failed')}>
            {errorText(t, inviting.error)}
          </Callout>
        )}
      </form>
    </Dialog>
  )
}

type LinkDialogProps = Pick<InviteDialogProps, 'open' | 'onOpenChange'> & { href: string; company: string }

function LinkDialog({ href, company, open, onOpenChange }: LinkDialogProps) {
  const { t } = useTranslation('admin')
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('administration.invitations.link_title')}
      description={t('administration.invitations.link_once', { company })}
      footer={
        <Button variant="primary" onClick={() => onOpenChange(false)}>
          {t('administration.invitations.close')}
        </Button>
      }
    >
      <Field label={t('administration.invitations.link')}>
        <Input
          readOnly
          value={href}
          className="font-mono"
          onFocus={({ target }) => target.select()}
          end={<CopyButton size="sm" name={t('administration.invitations.copy')} read={() => href} />}
        />
      </Field>
    </Dialog>
  )
}

/** Returns the first problem with the addresses, as a translation key and its value. */
function problemOf(emails: string[]): { text: 'wrong' | 'too_many'; email?: string } | null {
  if (emails.length > mostAtOnce) return { text: 'too_many' }
  if (emails.length === 0) return { text: 'wrong', email: '…' }
  const email = emails.find((one) => !/^[^@]+@[^@.]+(\.[^@.]+)+$/.test(one))
  return email ? { text: 'wrong', email } : null
}
