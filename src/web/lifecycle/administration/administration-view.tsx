import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import {
  Building2,
  CalendarClock,
  ChartColumn,
  Cpu,
  Eye,
  Flag,
  HeartPulse,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Megaphone,
  ScrollText,
  ShieldCheck,
  Target,
  UserPlus,
  Users,
  UsersRound,
} from 'lucide-react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../platform/lib/me/roles.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { useCurrentInSight } from '../../platform/ui/use-current-in-sight.ts'
import { View } from '../../platform/ui/view.tsx'
import { AccessesPage } from './accesses/accesses-page.tsx'
import { AnnouncementsPage } from './announcements/announcements-page.tsx'
import { AuditPage } from './audit/audit-page.tsx'
import { BudgetsPage } from './budgets/budgets-page.tsx'
import { CompaniesPage } from './companies/companies-page.tsx'
import { GrantsPage } from './grants/grants-page.tsx'
import { GroupsPage } from './groups/groups-page.tsx'
import { HealthPage } from './health/health-page.tsx'
import { SignUpSettings } from './joining/sign-up-settings.tsx'
import { QueuePage } from './queue/queue-page.tsx'
import { RetentionPage } from './retention/retention-page.tsx'
import { SignOnPage } from './sign-on/sign-on-page.tsx'
import { UsagePage } from './usage/usage-page.tsx'
import { UsersPage } from './users-page.tsx'
import './administration.css'

const pages = [
  'users',
  'companies',
  'groups',
  'grants',
  'sign_up',
  'sign_on',
  'usage',
  'budgets',
  'health',
  'queue',
  'announcements',
  'retention',
  'accesses',
  'audit',
] as const
type Page = (typeof pages)[number]
const contents = {
  users: UsersPage,
  companies: CompaniesPage,
  groups: GroupsPage,
  grants: GrantsPage,
  sign_up: SignUpSettings,
  sign_on: SignOnPage,
  usage: UsagePage,
  budgets: BudgetsPage,
  health: HealthPage,
  queue: QueuePage,
  announcements: AnnouncementsPage,
  retention: RetentionPage,
  accesses: AccessesPage,
  audit: AuditPage,
}
/** Pages for super admins only. */
const apart: readonly Page[] = ['sign_up', 'budgets', 'health', 'queue', 'accesses']
const icons: Record<Page, LucideIcon> = {
  users: Users,
  companies: Building2,
  groups: UsersRound,
  grants: ShieldCheck,
  sign_up: UserPlus,
  sign_on: KeyRound,
  usage: ChartColumn,
  budgets: Target,
  health: HeartPulse,
  queue: ListChecks,
  announcements: Megaphone,
  retention: CalendarClock,
  accesses: Eye,
  audit: ScrollText,
}

/** The admin area: users and companies, and for super admins a link to the models. */
export function AdministrationView() {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const { page: asked } = useSearch({ strict: false }) as { page?: string }
  const isSuper = isSuperAdmin(useMe())
  const shown = pages.filter((one) => isSuper || !apart.includes(one))
  const page = shown.find((one) => one === asked) ?? 'users'
  const Shown = contents[page]
  const row = useCurrentInSight<HTMLElement>(page)
  const show = (next: Page) => void navigate({ to: '/admin', search: { page: next } as never, replace: true })
  return (
    <View
      title={t('administration.title')}
      badges={
        <Badge tone="line" className="max-md:hidden">
          {t(`administration.role.${isSuper ? 'super_admin' : 'company_admin'}`)}
        </Badge>
      }
    >
      <div className="admin">
        <nav ref={row} aria-label={t('administration.pages')} className="admin-nav">
          {shown.map((one) => {
            const Icon = icons[one]
            return (
              <button
                key={one}
                type="button"
                aria-current={one === page ? 'page' : undefined}
                onClick={() => show(one)}
                className="hover-motion"
              >
                <Icon aria-hidden className="icon" />
                {t(`administration.page.${one}`)}
              </button>
            )
          })}
          {isSuper && (
            <Link to="/admin/models" className="hover-motion">
              <Cpu aria-hidden className="icon" />
              {t('models.title')}
            </Link>
          )}
          {isSuper && (
            <Link to="/setup" className="hover-motion">
              <Flag aria-hidden className="icon" />
              {t('administration.setup')}
            </Link>
          )}
        </nav>
        <div className="admin-page in-order">
          <Shown />
        </div>
      </div>
    </View>
  )
}
