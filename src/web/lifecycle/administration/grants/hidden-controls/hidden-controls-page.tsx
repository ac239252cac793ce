import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { HiddenControl } from '#shared/identity/hidden-controls/hidden-controls.ts'
import { type Control, type ControlArea, controlAreas } from '#shared/platform/controls.ts'
import { features } from '#shared/platform/features.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { useMe } from '../../../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../../../platform/lib/me/roles.ts'
import { Badge } from '../../../../platform/ui/badge.tsx'
import { Button } from '../../../../platform/ui/button.tsx'
import { Skeletons } from '../../../../platform/ui/states/skeleton.tsx'
import { AdminHead } from '../../admin-head.tsx'
import { CompanyPicker } from '../../company-picker.tsx'
import { ReadFailed } from '../../read-failed.tsx'
import { useManagedCompanies } from '../../use-managed.ts'
import { HideDialog } from './hide-dialog.tsx'
import { useHiddenControls } from './use-hidden-controls.ts'

/** The controls of the interface that a company, or the installation, hides from people. */
export default function HiddenControlsPage() {
  const { t } = useTranslation('admin')
  const isSuper = isSuperAdmin(useMe())
  const { data: companies, error, refetch } = useManagedCompanies()
  const [chosen, choose] = useState<string | null>(null)
  const first = isSuper ? '' : companies?.[0]?.id
  const companyId = chosen ?? first
  const company = companies?.find(({ id }) => id === companyId) ?? null
  return (
    <>
      <AdminHead title={t('administration.page.hidden_controls')} />
      <p className="mb-4 max-w-180 text-13 text-ink-2">{t('hidden_controls.intro')}</p>
      {error && <ReadFailed error={error} onRetry={refetch} />}
      {companies && (isSuper || companies.length > 1) && (
        <div className="admin-search mb-4">
          <CompanyPicker
            isField
            name={t('hidden_controls.place')}
            companies={companies}
            value={company?.id ?? ''}
            emptyLabel={t('grants.house')}
            canClear={isSuper}
            onChoose={choose}
          />
        </div>
      )}
      {companies && companyId !== undefined && <ControlsOf key={companyId} company={company} />}
    </>
  )
}

function ControlsOf({ company }: { company: { id: string; name: string } | null }) {
  const { t } = useTranslation('admin')
  const { data, error, isPending, refetch } = useHiddenControls(company?.id ?? '')
  const [open, setOpen] = useState<Control | null>(null)
  if (isPending) return <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12']} />
  if (error) return <ReadFailed error={error} onRetry={refetch} />
  const byName = new Map(data.map((one) => [one.control, one]))
  const asked = open && byName.get(open)
  return (
    <div className="grid gap-6">
      {Object.entries(controlAreas).map(([area, names]) => (
        <section key={area} aria-labelledby={`area-${area}`}>
          <h3 id={`area-${area}`} className="mb-2 text-13 font-semibold">
            {t(`hidden_controls.area.${area as ControlArea}`)}
          </h3>
          <ul className="admin-card divide-y divide-line">
            {names.map((name) => {
              const hidden = byName.get(name)
              return hidden && <ControlRow key={name} hidden={hidden} onChange={() => setOpen(name)} />
            })}
          </ul>
        </section>
      ))}
      {asked && <HideDialog hidden={asked} company={company} onClose={() => setOpen(null)} />}
    </div>
  )
}

/** Kinds of grants that are the right behind a control. */
const rights: Partial<Record<Control, string>> = {
  ...Object.fromEntries(features.map((feature) => [feature, 'feature'])),
  ...{ model_picker: 'model', compare_models: 'model', chat_tools: 'tool', assistant_picker: 'assistant' },
}

function ControlRow({ hidden, onChange }: { hidden: HiddenControl; onChange: () => void }) {
  const { t } = useTranslation('admin')
  const { control, everyone, groups, by_installation } = hidden
  const name = t(`hidden_controls.control.${control}.name`)
  const kind = rights[control]
  const isHidden = everyone || groups.length > 0
  const state = everyone
    ? t('hidden_controls.state.everyone')
    : isHidden
      ? t('hidden_controls.state.groups', { names: groups.map((group) => group.name).join(', ') })
      : t('hidden_controls.state.nobody')
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-13">
      <span className="min-w-0 flex-1 basis-64">
        <span className="block font-medium">{name}</span>
        <span className="block text-ink-3">{t(`hidden_controls.control.${control}.text`)}</span>
        {kind && (
          <Link
            to="/admin"
            search={{ page: 'grants', kind } as never}
            aria-label={t('hidden_controls.right_of', { name })}
            className="text-accent hover:underline"
          >
            {t('hidden_controls.right')}
          </Link>
        )}
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        {by_installation && <Badge tone="line">{t('hidden_controls.state.installation')}</Badge>}
        <Badge tone={isHidden ? 'warning' : 'line'} className="max-w-60">
          <span className="truncate">{state}</span>
        </Badge>
      </span>
      <Button size="sm" aria-label={t('hidden_controls.change_one', { name })} onClick={onChange}>
        {t('hidden_controls.change')}
      </Button>
    </li>
  )
}
