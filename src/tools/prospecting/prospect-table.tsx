import {
  ArrowLeft,
  BadgeEuro,
  Cpu,
  Crown,
  FileText,
  Landmark,
  Link2,
  type LucideIcon,
  Phone,
  Truck,
  User,
  Users,
} from 'lucide-react'
import { type Prospect, prospectColumns } from '#shared/tools/prospecting/prospecting.ts'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { CopyButton } from '../../web/platform/ui/copy-button.tsx'
import { IconButton } from '../../web/platform/ui/icon-button.tsx'
import { Popover } from '../../web/platform/ui/overlays/popover.tsx'

type ProspectTableProps = { prospects: readonly Prospect[]; onBack: () => void }

/** Shows the people of each company, then a table with everything known about each. */
export function ProspectTable({ prospects, onBack }: ProspectTableProps) {
  const { t } = useTranslation('tool_ui')
  const groups = [...Map.groupBy(prospects, ({ société }) => société)]
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex items-center gap-2">
        <IconButton name={t('prospecting.back')} size="sm" onClick={onBack}>
          <ArrowLeft aria-hidden className="icon" />
        </IconButton>
        <span className="num text-13 font-medium">
          {t('prospecting.found', { count: prospects.length, companies: groups.length })}
        </span>
      </div>
      <dl className="prospect-personas">
        {groups.map(([company, people]) => (
          <div key={company}>
            <dt>{company}</dt>
            <dd>
              {[...new Set(people.map(({ position }) => position))].map((position) => (
                <Persona key={position} position={position} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard. */}
      <section className="prospect-scroll" aria-label={t('prospecting.table')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {prospectColumns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {prospects.map((prospect, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order.
              <tr key={at}>
                {prospectColumns.map((column) => (
                  <td key={column}>
                    <Value column={column} prospect={prospect} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

function Value({ column, prospect }: { column: keyof Prospect; prospect: Prospect }) {
  const { t } = useTranslation('tool_ui')
  const value = prospect[column]
  if (value === null || value === '') return null
  if (column === 'linkedin')
    return (
      <a
        href={value}
        target="_blank"
        rel="noopener noreferrer"
        className="inline-flex items-center gap-1 text-accent"
      >
        <Link2 aria-hidden className="icon-12" />
        {t('prospecting.profile')}
      </a>
    )
  if (!/^TP\d$/.test(column)) return value
  const name = t('prospecting.touch_point', { name: column, person: prospect['prénom nom'] })
  const Icon = column === 'TP3' ? Phone : FileText
  return (
    <Popover
      name={name}
      trigger={
        <IconButton name={name} size="xs" variant="lined">
          <Icon aria-hidden className="icon-14" />
        </IconButton>
      }
    >
      <p className="whitespace-pre-wrap">{value}</p>
      <CopyButton name={t('prospecting.copy')} size="sm" read={() => value} />
    </Popover>
  )
}

function Persona({ position }: { position: string }) {
  const Icon = roleIcon(position)
  return (
    <span className="prospect-persona">
      <Icon aria-hidden className="icon-14" />
      {position}
    </span>
  )
}

const roles: readonly [words: RegExp, icon: LucideIcon][] = [
  [/\bCFO\b|\bDAF\b|financ|trésor|commissaire aux comptes/i, Landmark],
  [/\bCTO\b|\bDSI\b|techni|informati/i, Cpu],
  [/\bHR\b|\bDRH\b|\bRH\b|ressources humaines|human resources/i, Users],
  [/sales|commercial|vente|marketing/i, BadgeEuro],
  [/supply|logisti|achat|approvisionn/i, Truck],
  [/\bCEO\b|\bPDG\b|président|directeur général|directrice générale|gérant/i, Crown],
]

/** Returns the icon of a role, by keywords in its name. */
export const roleIcon = (position: string): LucideIcon =>
  roles.find(([words]) => words.test(position))?.[1] ?? User
