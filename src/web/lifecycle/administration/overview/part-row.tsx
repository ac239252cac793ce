import { Link } from '@tanstack/react-router'
import {
  Archive,
  AudioLines,
  CircleAlert,
  CircleCheck,
  CircleX,
  Cpu,
  Database,
  FileText,
  FolderOpen,
  HardDrive,
  ListChecks,
  type LucideIcon,
  Mail,
  MailOpen,
  ScanText,
  Search,
  SquareTerminal,
} from 'lucide-react'
import type { HealthName, HealthPart } from '#shared/lifecycle/health/health.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { buttonLook } from '../../../platform/ui/button.tsx'
import { sizeText } from '../../../platform/ui/files/file-size.ts'

const icons: Record<HealthName, LucideIcon> = {
  models: Cpu,
  mail: Mail,
  mailbox: MailOpen,
  sandbox: SquareTerminal,
  ocr: ScanText,
  office: FileText,
  transcription: AudioLines,
  storage: FolderOpen,
  disk: HardDrive,
  queue: ListChecks,
  search: Search,
  database: Database,
  backup: Archive,
}
const marks = {
  well: { tone: 'success', Icon: CircleCheck },
  limited: { tone: 'warning', Icon: CircleAlert },
  missing: { tone: 'danger', Icon: CircleX },
} as const

/** One part of the installation: its finding, and a remedy if there is a problem. */
export function PartRow({ part: { part, state, finding, facts } }: { part: HealthPart }) {
  const { t } = useTranslation('admin')
  const Icon = icons[part]
  const mark = marks[state]
  const shown = showFacts(t, facts)
  return (
    <li className="flex items-start gap-3 px-3.5 py-2">
      <span
        aria-hidden
        className="inline-grid size-7 flex-none place-items-center rounded-control bg-surface-2"
      >
        <Icon className="icon text-ink-2" />
      </span>
      <div className="grid min-w-0 flex-1 gap-x-3 gap-y-1 pt-1 text-13 lg:grid-cols-[144px_minmax(0,1fr)]">
        <span className="font-medium">{t(`health.part.${part}`)}</span>
        <div className="grid min-w-0 gap-1">
          <span className="break-words text-ink-2">{t(`health.found.${finding}`, shown).trim()}</span>
          {state !== 'well' && <span className="break-words">{t(`health.todo.${finding}`, shown)}</span>}
          {state !== 'well' && <PageToMend part={part} />}
        </div>
      </div>
      <Badge className="mt-0.5" tone={mark.tone} icon={<mark.Icon aria-hidden />}>
        {t(`health.state.${state}`)}
      </Badge>
    </li>
  )
}

/** Link to the page that fixes the problem, if there is one. */
function PageToMend({ part }: { part: HealthName }) {
  const { t } = useTranslation('admin')
  const look = `${buttonLook({ size: 'sm' })} justify-self-start`
  if (part === 'models' || part === 'search')
    return (
      <Link to="/admin/models" className={look}>
        {t('health.to.models')}
      </Link>
    )
  if (part !== 'queue') return null
  return (
    <Link to="/admin" search={{ page: 'queue' } as never} className={look}>
      {t('health.to.queue')}
    </Link>
  )
}

/** Formats facts for display: `…_bytes` as a size, other numbers with separators. */
function showFacts(t: TFunction, facts: HealthPart['facts']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => {
      if (typeof fact === 'string') return [name, fact]
      const isSize = name.endsWith('_bytes')
      return [name.replace(/_bytes$/, ''), isSize ? sizeText(t, fact) : formatNumber(fact)]
    }),
  )
}
