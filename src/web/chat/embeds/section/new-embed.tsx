import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createEmbed } from '#shared/chat/embeds/embeds.ts'
import { originOf } from '#shared/chat/embeds/origin.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { parseDecimal } from '../../../platform/lib/money.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { FormDialog } from '../../../platform/ui/overlays/form-dialog.tsx'
import { Select } from '../../../platform/ui/select.tsx'

const ends = ['7', '30', '180', '365'] as const
const daily = ['5', '20', '100', '1000'] as const
const keeping = ['1', '30', '90', '365'] as const

type NewEmbedProps = { assistantId: string; onMade: (token: string) => void; onClose: () => void }

/** Asks for the origins, lifetime and budget of a new token. */
export function NewEmbed({ assistantId, onMade, onClose }: NewEmbedProps) {
  const { t } = useTranslation('embeds')
  const [name, setName] = useState('')
  const [sites, setSites] = useState('')
  const [inExtension, setInExtension] = useState(false)
  const [days, setDays] = useState('180')
  const [messages, setMessages] = useState('20')
  const [kept, setKept] = useState('30')
  const [budget, setBudget] = useState('')
  const [wasSent, setSent] = useState(false)
  const amount = parseDecimal(budget)
  const given = sites.split(/[\s,]/).filter((site) => site !== '')
  const origins = given.map(originOf)
  const making = useMutation({
    mutationFn: () =>
      call(createEmbed, {
        params: { assistantId },
        body: {
          ...{ name, origins: origins.filter((site) => site !== null), in_extension: inExtension },
          ...{ days: Number(days), messages_a_day: Number(messages), days_kept: Number(kept) },
          monthly_budget: amount,
        },
      }),
    onSuccess: ({ token }) => onMade(token),
  })
  const bad = given.find((_, at) => origins[at] === null)
  const wrong = {
    name: name.trim() === '' && t('form.no_name'),
    sites: bad ? t('form.bad_site', { site: bad }) : given.length === 0 && !inExtension && t('form.no_site'),
    budget:
      budget.trim() !== '' && (amount === null || amount < 0 || amount > 100_000) && t('form.bad_budget'),
  }
  const shown = (reason: string | false) => (wasSent && reason) || undefined
  const submit = () => {
    setSent(true)
    if (!wrong.name && !wrong.sites && !wrong.budget) making.mutate()
  }
  return (
    <FormDialog
      size="md"
      title={t('form.title')}
      send={t('form.submit')}
      busy={making.isPending}
      onSend={submit}
      onClose={onClose}
    >
      <Field label={t('form.name')} error={shown(wrong.name)}>
        <Input
          value={name}
          maxLength={80}
          placeholder={t('form.name_placeholder')}
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      <Field label={t('form.sites')} hint={t('form.sites_hint')} error={shown(wrong.sites)}>
        <Input
          value={sites}
          placeholder="https://intranet.example.com"
          onChange={({ target }) => setSites(target.value)}
        />
      </Field>
      <Checkbox checked={inExtension} onCheckedChange={setInExtension} label={t('form.in_extension')} />
      <Field label={t('form.ends')}>
        <Select value={days} onValueChange={setDays} options={options(ends, t, 'days')} />
      </Field>
      <Field label={t('form.messages')}>
        <Select value={messages} onValueChange={setMessages} options={options(daily, t, 'a_day')} />
      </Field>
      <Field label={t('form.kept')}>
        <Select value={kept} onValueChange={setKept} options={options(keeping, t, 'days')} />
      </Field>
      <Field optional label={t('form.budget')} hint={t('form.budget_hint')} error={shown(wrong.budget)}>
        <Input inputMode="decimal" value={budget} onChange={({ target }) => setBudget(target.value)} />
      </Field>
      {making.error && (
        <Callout tone="danger" title={t('form.failed')}>
          {errorText(t, making.error)}
        </Callout>
      )}
    </FormDialog>
  )
}

type Translate = ReturnType<typeof useTranslation>['t']

function options(values: readonly string[], t: Translate, unit: 'days' | 'a_day') {
  return values.map((value) => ({ value, label: t(`form.${unit}`, { count: Number(value) }) }))
}
