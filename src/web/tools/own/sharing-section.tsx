import { useTranslation } from '../../i18n/i18n.ts'
import { useMe } from '../../lib/me.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { UnavailableTool } from '../look/tool-row.tsx'
import type { SectionProps } from './general-section.tsx'

/** The companies whose people may use the tool, of those its owner administers. */
export function SharingSection({ draft, change }: SectionProps) {
  const { t } = useTranslation('own_tools')
  const user = useMe()
  const own = user?.company_affiliations.filter(({ role }) => role.name !== 'member') ?? []
  const toggle = (id: string, isOn: boolean) =>
    change({ companies: isOn ? [...draft.companies, id] : draft.companies.filter((one) => one !== id) })
  return (
    <>
      <fieldset className="grid gap-2 rounded-card border border-line p-3.5">
        <legend className="text-13 font-medium">{t('sharing.title')}</legend>
        {own.map(({ company }) => (
          <Checkbox
            key={company.id}
            checked={draft.companies.includes(company.id)}
            onCheckedChange={(isOn) => toggle(company.id, isOn)}
            label={company.name}
          />
        ))}
        <p className="text-12 text-ink-3">{t('sharing.hint')}</p>
      </fieldset>
      <div className="grid gap-2">
        <span className="text-13 font-medium">{t('sharing.others')}</span>
        <ul className="rounded-card border border-line">
          <UnavailableTool id="00000000" />
        </ul>
      </div>
    </>
  )
}
