import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { CompanyChoice } from '../../../platform/ui/choices/company-choice.tsx'
import { UnavailableTool } from '../look/tool-row.tsx'
import type { SectionProps } from './general-section.tsx'

/** Selects the companies that may use the tool, among those its owner administers. */
export function SharingSection({ draft, change }: SectionProps) {
  const { t } = useTranslation('own_tools')
  return (
    <>
      <CompanyChoice
        title={t('sharing.title')}
        hint={t(draft.auth.kind === 'oauth2_user' ? 'sharing.hint_accounts' : 'sharing.hint')}
        value={draft.companies}
        onChange={(companies) => change({ companies })}
      />
      <div className="grid gap-2">
        <span className="text-13 font-medium">{t('sharing.others')}</span>
        <ul className="rounded-card border border-line">
          <UnavailableTool id="00000000" />
        </ul>
      </div>
    </>
  )
}
