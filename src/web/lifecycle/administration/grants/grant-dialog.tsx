import { useState } from 'react'
import type { GrantedThing, Who } from '#shared/identity/grants/grants.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../platform/lib/me/roles.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { FormDialog } from '../../../platform/ui/overlays/form-dialog.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { useManagedCompanies } from '../use-managed.ts'
import { nameOfThing } from './grant-words.ts'
import { NamedChoice } from './named-choice.tsx'
import { keyOf, readSaid, type Said } from './said.ts'
import { useDecide } from './use-grants.ts'

const HOUSE = 'house'
const nobody: Who = { who: 'nobody', id: '' }

/** Edits the grants of a thing: super admins for the installation, company admins for their company. */
export function GrantDialog({ thing, onClose }: { thing: GrantedThing; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const isSuper = isSuperAdmin(useMe())
  const { data: companies = [] } = useManagedCompanies()
  const [chosen, setChosen] = useState<string | null>(null)
  const decider = chosen ?? (isSuper ? HOUSE : (companies[0]?.id ?? ''))
  const decided_by = decider === HOUSE ? null : decider
  const [changes, setChanges] = useState<Said | null>(null)
  const said = changes ?? readSaid(thing.grants, decided_by)
  const deciding = useDecide(onClose)
  const say = (who: Who, effect: 'allow' | 'refuse' | null) => {
    const next = new Map(said)
    if (effect) next.set(keyOf(who), { who, effect })
    else next.delete(keyOf(who))
    setChanges(next)
  }
  const named = (wanted: 'allow' | 'refuse') =>
    [...said.values()].flatMap(({ who, effect }) => (effect === wanted ? [who] : []))
  return (
    <FormDialog
      title={t('grants.title', { name: nameOfThing(t, thing) })}
      send={t('administration.save')}
      disabled={decider === ''}
      busy={deciding.isPending}
      onSend={() => deciding.mutate({ thing, decided_by, allow: named('allow'), refuse: named('refuse') })}
      onClose={onClose}
    >
      <Field label={t('grants.decider')}>
        <Select
          value={decider}
          options={[
            ...(isSuper ? [{ value: HOUSE, label: t('grants.house') }] : []),
            ...companies.map(({ id, name: label }) => ({ value: id, label })),
          ]}
          onValueChange={(next) => {
            setChosen(next)
            setChanges(null)
          }}
        />
      </Field>
      <Checkbox
        label={t('grants.closed')}
        checked={named('allow').length > 0}
        disabled={named('allow').some(({ who }) => who !== 'nobody')}
        onCheckedChange={(isClosed) => say(nobody, isClosed ? 'allow' : null)}
      />
      <NamedChoice thing={thing} decidedBy={decided_by} said={said} onSay={say} />
      {deciding.error && <Callout tone="danger">{errorText(t, deciding.error)}</Callout>}
    </FormDialog>
  )
}
