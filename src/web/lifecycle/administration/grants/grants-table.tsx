import { Pencil } from 'lucide-react'
import type { GrantedThing, NamedGrant } from '#shared/identity/grants/grants.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { AdminTable } from '../admin-table.tsx'
import { useManagedCompanies } from '../use-managed.ts'
import { nameOfGrant, nameOfThing } from './grant-words.ts'

type GrantsTableProps = { things: readonly GrantedThing[]; onChange: (id: string) => void }

/** Table of things with their grants. */
export function GrantsTable({ things, onChange }: GrantsTableProps) {
  const { t } = useTranslation('admin')
  const columns = ['thing', 'from', 'who'] as const
  return (
    <AdminTable
      columns={columns.map((column) => t(`grants.column.${column}`))}
      actions={t('administration.column.actions')}
    >
      {things.map((thing) => (
        <ThingRow key={thing.id} thing={thing} onChange={() => onChange(thing.id)} />
      ))}
    </AdminTable>
  )
}

function ThingRow({ thing, onChange }: { thing: GrantedThing; onChange: () => void }) {
  const { t } = useTranslation('admin')
  const name = nameOfThing(t, thing)
  const isNamed = thing.kind === 'model' || thing.kind === 'tool'
  return (
    <tr>
      <th scope="row">
        <span className="block truncate font-medium">{name}</span>
        {isNamed && thing.id !== name && (
          <span className="block truncate text-12 font-regular text-ink-3">{thing.id}</span>
        )}
      </th>
      <td className="text-ink-2" data-label={t('grants.column.from')}>
        {thing.from ?? t('grants.here')}
      </td>
      <td data-label={t('grants.column.who')}>
        <Named grants={thing.grants} />
      </td>
      <td>
        <IconButton name={t('grants.change', { name })} size="sm" onClick={onChange}>
          <Pencil aria-hidden className="icon-14" />
        </IconButton>
      </td>
    </tr>
  )
}

/** Everyone, or the grants by name; the installation's come before the companies'. */
function Named({ grants }: { grants: NamedGrant[] }) {
  const { t } = useTranslation('admin')
  const { data: companies = [] } = useManagedCompanies()
  const isOpen = grants.every(({ decided_by, effect }) => decided_by !== null || effect === 'refuse')
  return (
    <span className="grants-named">
      {isOpen && <Badge>{t('grants.everybody')}</Badge>}
      {grants.map((grant) => {
        const { decided_by, effect, who, id } = grant
        const name = nameOfGrant(t, grant)
        const company = companies.find((one) => one.id === decided_by)?.name
        const whole = decided_by === null ? name : t('grants.in_company', { name, company: company ?? '' })
        return (
          <Badge key={`${decided_by} ${who} ${id}`} tone={effect === 'refuse' ? 'danger' : 'line'}>
            {effect === 'refuse' ? t('grants.not', { name: whole }) : whole}
          </Badge>
        )
      })}
    </span>
  )
}
