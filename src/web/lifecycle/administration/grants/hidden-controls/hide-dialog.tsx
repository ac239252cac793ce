import { Search } from 'lucide-react'
import { useState } from 'react'
import { type HiddenControl, MAX_HIDDEN_GROUPS } from '#shared/identity/hidden-controls/hidden-controls.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Callout } from '../../../../platform/ui/callout.tsx'
import { Checkbox } from '../../../../platform/ui/checkbox.tsx'
import { Choice, Segment } from '../../../../platform/ui/choices/segments.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { FormDialog } from '../../../../platform/ui/overlays/form-dialog.tsx'
import { useGroupsNamed } from '../use-grants.ts'
import { useHideControl } from './use-hidden-controls.ts'

type Company = { id: string; name: string }
type HideDialogProps = {
  hidden: HiddenControl
  /** Null for the installation, which hides from everyone only. */
  company: Company | null
  onClose: () => void
}
type From = 'nobody' | 'groups' | 'everyone'

/** Chooses who a control is hidden from. */
export function HideDialog({ hidden, company, onClose }: HideDialogProps) {
  const { t } = useTranslation('admin')
  const { control, everyone, groups } = hidden
  const [from, setFrom] = useState<From>(everyone ? 'everyone' : groups.length > 0 ? 'groups' : 'nobody')
  const [chosen, setChosen] = useState<readonly Company[]>(groups)
  const hiding = useHideControl(company?.id ?? '', onClose)
  const choices: From[] = company ? ['nobody', 'groups', 'everyone'] : ['nobody', 'everyone']
  const group_ids = from === 'groups' ? chosen.map(({ id }) => id) : []
  const toggle = (group: Company) =>
    setChosen((before) =>
      before.some(({ id }) => id === group.id)
        ? before.filter(({ id }) => id !== group.id)
        : [...before, { id: group.id, name: group.name }],
    )
  return (
    <FormDialog
      title={t('hidden_controls.dialog', { name: t(`hidden_controls.control.${control}.name`) })}
      description={t(`hidden_controls.control.${control}.text`)}
      send={t('administration.save')}
      disabled={from === 'groups' && chosen.length === 0}
      busy={hiding.isPending}
      onSend={() => hiding.mutate({ control, everyone: from === 'everyone', group_ids })}
      onClose={onClose}
    >
      <div className="pt-3">
        <Choice name={t('hidden_controls.from')}>
          {choices.map((one) => (
            <Segment key={one} isOn={one === from} onClick={() => setFrom(one)}>
              {t(`hidden_controls.choice.${one}`)}
            </Segment>
          ))}
        </Choice>
      </div>
      <p className="text-13 text-ink-2">
        {t(`hidden_controls.about.${from}${company ? '' : '_here'}`, { company: company?.name })}
      </p>
      {from === 'groups' && company && <GroupChoice company={company} chosen={chosen} onToggle={toggle} />}
      {hiding.error && <Callout tone="danger">{errorText(t, hiding.error)}</Callout>}
    </FormDialog>
  )
}

/** Maximum number of groups shown; others are found by typing. */
const SHOWN = 40

type GroupChoiceProps = {
  company: Company
  chosen: readonly Company[]
  onToggle: (group: Company) => void
}

/** The groups of a company with those chosen first. */
function GroupChoice({ company, chosen, onToggle }: GroupChoiceProps) {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState('')
  const { data } = useGroupsNamed(`${typed} ${company.name}`)
  const words = typed.trim().toLowerCase()
  const isChosen = ({ id }: Company) => chosen.some((one) => one.id === id)
  const found = (data?.items ?? []).filter((group) => group.company.id === company.id && !isChosen(group))
  const all = [...chosen, ...found].filter(({ name }) => name.toLowerCase().includes(words))
  return (
    <div className="grid gap-2">
      <Input
        type="search"
        icon={<Search aria-hidden />}
        aria-label={t('hidden_controls.find_group')}
        placeholder={t('hidden_controls.find_group')}
        maxLength={100}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {data && all.length === 0 && (
        <p className="text-13 text-ink-3">{t(words ? 'grants.no_match' : 'hidden_controls.no_groups')}</p>
      )}
      {all.length > 0 && (
        <ul aria-label={t('hidden_controls.groups')} className="admin-card divide-y divide-line">
          {all.slice(0, SHOWN).map((group) => (
            <li key={group.id} className="px-4 py-2">
              <Checkbox
                label={group.name}
                checked={isChosen(group)}
                disabled={!isChosen(group) && chosen.length >= MAX_HIDDEN_GROUPS}
                onCheckedChange={() => onToggle(group)}
              />
            </li>
          ))}
        </ul>
      )}
      {(data?.has_more || all.length > SHOWN) && (
        <p className="text-12 text-ink-3">{t('hidden_controls.more_groups')}</p>
      )}
    </div>
  )
}
