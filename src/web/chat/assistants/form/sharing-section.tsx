import { Building2 } from 'lucide-react'
import { useState } from 'react'
import type { Assistant, ShareAccess } from '#shared/chat/assistants/assistants.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useMe } from '../../../platform/lib/me/me.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { HandOver } from '../hand-over.tsx'
import type { SectionProps } from './draft.ts'

type Company = { id: string; name: string; isMine: boolean }

/** The companies with which the assistant is shared, their members' access, and its owner. */
export function SharingSection({ assistant, draft, change }: SectionProps & { assistant: Assistant | null }) {
  const { t } = useTranslation('assistant')
  const companies = useCompanies(assistant)
  const [isHanding, setHanding] = useState(false)
  const accessOf = (id: string) => draft.shares.find(({ company_id }) => company_id === id)?.access ?? null
  const set = (id: string, access: ShareAccess | null) => {
    const others = draft.shares.filter(({ company_id }) => company_id !== id)
    change({ shares: access ? [...others, { company_id: id, access }] : others })
  }
  return (
    <>
      {companies.length === 0 && <p className="text-13 text-ink-2">{t('sharing.none')}</p>}
      {companies.length > 0 && (
        <ul className="divide-y divide-line rounded-card border border-line">
          {companies.map((company) => (
            <li key={company.id} className="flex flex-wrap items-center gap-3 px-3.5 py-2.5 text-13">
              <Building2 aria-hidden className="icon text-ink-2" />
              <span className="min-w-0 flex-1 font-medium wrap-anywhere">{company.name}</span>
              <CompanyAccess company={company} access={accessOf(company.id)} onChoose={set} />
            </li>
          ))}
        </ul>
      )}
      <p className="text-13 text-ink-2">{t('sharing.note')}</p>
      {assistant?.can_hand_over && (
        <Button className="justify-self-start" onClick={() => setHanding(true)}>
          {t('hand_over.begin')}
        </Button>
      )}
      {assistant && isHanding && <HandOver assistant={assistant} onClose={() => setHanding(false)} />}
    </>
  )
}

type AccessProps = {
  company: Company
  access: ShareAccess | null
  onChoose: (id: string, access: ShareAccess | null) => void
}

/** A person who does not administer a company can only revoke its access. */
function CompanyAccess({ company: { id, name, isMine }, access, onChoose }: AccessProps) {
  const { t } = useTranslation('assistant')
  const choices = [null, 'use', 'edit'] as const
  const offered = choices.filter((one) => isMine || one === access || one === null)
  return (
    <Choice name={t('sharing.with', { company: name })}>
      {offered.map((one) => (
        <Segment key={one ?? 'none'} isOn={access === one} onClick={() => onChoose(id, one)}>
          {t(`sharing.${one ?? 'nobody'}`)}
        </Segment>
      ))}
    </Choice>
  )
}

/** Returns the companies the person administers, and those with which the assistant is shared. */
function useCompanies(assistant: Assistant | null): Company[] {
  const affiliations = useMe()?.company_affiliations ?? []
  const mine = affiliations
    .filter(({ role }) => role.name !== 'member')
    .map(({ company: { id, name } }) => ({ id, name, isMine: true }))
  const others = (assistant?.shares ?? [])
    .filter(({ company_id }) => !mine.some(({ id }) => id === company_id))
    .map(({ company_id, company }) => ({ id: company_id, name: company, isMine: false }))
  return [...mine, ...others]
}
