import { Search } from 'lucide-react'
import { useState } from 'react'
import { type HeldKind, MAX_REASON_CHARACTERS } from '#shared/lifecycle/legal-holds/legal-holds.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Callout } from '../../../../platform/ui/callout.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { FormDialog } from '../../../../platform/ui/overlays/form-dialog.tsx'
import { Select } from '../../../../platform/ui/select.tsx'
import { useHoldSubjects, usePlaceHold } from './use-holds.ts'

const kinds = ['user', 'project'] as const satisfies HeldKind[]

/** Places a legal hold on a user or a project. */
export function PlaceHoldForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('admin')
  const [kind, setKind] = useState<HeldKind>('user')
  const [chosen, setChosen] = useState('')
  const [reason, setReason] = useState('')
  const [wasSent, setSent] = useState(false)
  const placing = usePlaceHold(onClose)
  const isReasoned = reason.trim().length >= 3
  const submit = () => {
    setSent(true)
    if (chosen && isReasoned) placing.mutate({ kind, subject_id: chosen, reason: reason.trim() })
  }
  return (
    <FormDialog
      size="md"
      title={t('holds.place_title')}
      description={t(`holds.covers.${kind}`)}
      send={t('holds.place')}
      busy={placing.isPending}
      onSend={submit}
      onClose={onClose}
    >
      <Field label={t('holds.kind')}>
        <Select
          value={kind}
          options={kinds.map((value) => ({ value, label: t(`holds.kinds.${value}`) }))}
          onValueChange={(value) => {
            setKind(value === 'project' ? 'project' : 'user')
            setChosen('')
          }}
        />
      </Field>
      <HeldSubject
        kind={kind}
        chosen={chosen}
        onChoose={setChosen}
        error={wasSent && !chosen ? t('holds.no_subject') : undefined}
      />
      <Field
        label={t('holds.reason')}
        hint={t('holds.reason_hint')}
        error={wasSent && !isReasoned ? t('holds.no_reason') : undefined}
      >
        <Input
          value={reason}
          maxLength={MAX_REASON_CHARACTERS}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      {placing.error && (
        <Callout tone="danger" title={t('holds.failed')}>
          {errorText(t, placing.error)}
        </Callout>
      )}
    </FormDialog>
  )
}

type HeldSubjectProps = {
  kind: HeldKind
  chosen: string
  onChoose: (id: string) => void
  error: string | undefined
}

function HeldSubject({ kind, chosen, onChoose, error }: HeldSubjectProps) {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState('')
  const { data } = useHoldSubjects(kind, typed)
  const options = (data?.items ?? []).map(({ id, name, detail, is_held }) => {
    const label = `${name} · ${detail}`
    return { value: id, label: is_held ? t('holds.held_already', { name: label }) : label, disabled: is_held }
  })
  return (
    <>
      <Input
        type="search"
        icon={<Search aria-hidden />}
        aria-label={t('holds.search')}
        placeholder={t('holds.search')}
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Field
        label={t(`holds.subject.${kind}`)}
        hint={data?.has_more ? t('holds.more') : undefined}
        error={error}
      >
        <Select
          value={options.some(({ value }) => value === chosen) ? chosen : ''}
          options={[{ value: '', label: t('holds.choose') }, ...options]}
          onValueChange={onChoose}
        />
      </Field>
    </>
  )
}
