import clsx from 'clsx'
import { Check, ChevronDown, Search } from 'lucide-react'
import { useState } from 'react'
import type { ManagedCompany } from '#shared/identity/administration/administration.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Input } from '../../platform/ui/input.tsx'
import { Popover } from '../../platform/ui/overlays/popover.tsx'

/** Maximum number of companies listed; more are found by typing. */
const LISTED = 50

type CompanyPickerProps = {
  /** Accessible name of the button and the panel. */
  name: string
  companies: readonly ManagedCompany[]
  /** Id of the selected company; empty for none. */
  value: string
  /** Text of the button, and of the choice that clears the selection. */
  emptyLabel: string
  /** Without it, choosing is an action and nothing can be cleared. */
  canClear?: boolean
  /** Whether the button is as wide and high as the fields around it. */
  isField?: boolean
  onChoose: (companyId: string) => void
}

/** Selects one of any number of companies, with a search. */
export function CompanyPicker({
  name,
  companies,
  value,
  emptyLabel,
  canClear,
  isField = false,
  onChoose,
}: CompanyPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const chosen = companies.find(({ id }) => id === value)
  const choose = (id: string) => {
    onChoose(id)
    setOpen(false)
  }
  return (
    <Popover
      name={name}
      open={isOpen}
      onOpenChange={setOpen}
      className="w-[300px] p-0!"
      trigger={
        <Button
          size={isField ? 'md' : 'sm'}
          aria-label={`${name}: ${chosen?.name ?? emptyLabel}`}
          className={isField ? 'w-full' : 'max-w-60'}
        >
          <span className={clsx('truncate', isField && 'flex-1 text-start font-normal')}>
            {chosen?.name ?? emptyLabel}
          </span>
          <ChevronDown aria-hidden className="icon-14 flex-none" />
        </Button>
      }
    >
      <CompanyList
        companies={companies}
        value={value}
        clear={canClear ? emptyLabel : null}
        onChoose={choose}
      />
    </Popover>
  )
}

type CompanyListProps = Pick<CompanyPickerProps, 'companies' | 'value' | 'onChoose'> & {
  clear: string | null
}

function CompanyList({ companies, value, clear, onChoose }: CompanyListProps) {
  const { t } = useTranslation('admin')
  const [typed, setTyped] = useState('')
  const words = typed.trim().toLowerCase()
  const found = companies.filter(({ name }) => name.toLowerCase().includes(words))
  const entry = (id: string, label: string) => (
    <li key={id}>
      <button
        type="button"
        aria-current={id === value ? 'true' : undefined}
        className="hover-motion flex min-h-8 w-full items-center gap-2 rounded-control px-2 py-1 text-start hover:bg-surface-2 max-md:min-h-11"
        onClick={() => onChoose(id)}
      >
        <span className="min-w-0 flex-1 truncate">{label}</span>
        {id === value && <Check aria-hidden className="icon-14 flex-none text-accent" />}
      </button>
    </li>
  )
  return (
    <>
      <div className="border-b border-line p-2">
        <Input
          autoFocus
          type="search"
          quiet
          icon={<Search aria-hidden />}
          aria-label={t('administration.find_company')}
          placeholder={t('administration.find_company')}
          maxLength={100}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <ul className="max-h-72 overflow-y-auto p-1">
        {clear !== null && words === '' && entry('', clear)}
        {found.slice(0, LISTED).map(({ id, name }) => entry(id, name))}
      </ul>
      {found.length === 0 && (
        <p className="px-3 pb-3 text-ink-3">{t('administration.nobody', { query: typed.trim() })}</p>
      )}
      {found.length > LISTED && (
        <p className="border-t border-line px-3 py-2 text-12 text-ink-3">
          {t('administration.more_companies', { count: found.length - LISTED })}
        </p>
      )}
    </>
  )
}
