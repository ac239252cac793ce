import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import {
  Building2,
  Cable,
  CalendarClock,
  CalendarSync,
  ChartColumn,
  Cpu,
  Database,
  Eye,
  EyeOff,
  FileCheck,
  Flag,
  FolderKanban,
  KeyRound,
  Layers,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  MapPinOff,
  Megaphone,
  MessagesSquare,
  Palette,
  Plug,
  ScrollText,
  ShieldCheck,
  Target,
  UserPlus,
  Users,
  UsersRound,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { isSuperAdmin } from '../../platform/lib/me/roles.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { useCurrentInSight } from '../../platform/ui/use-current-in-sight.ts'
import { View } from '../../platform/ui/view.tsx'
import { AccessesPage } from './accesses/accesses-page.tsx'
import { type AdminPage, adminPages, pageGroups } from './administration.ts'
import { AnnouncementsPage } from './announcements/announcements-page.tsx'
import { AuditPage } from './audit/audit-page.tsx'
import { BudgetsPage } from './budgets/budgets-page.tsx'
import { CompaniesPage } from './companies/companies-page.tsx'
import { UnmanagedProjectsPage } from './companies/unmanaged-projects-page.tsx'
import { GrantsPage } from './grants/grants-page.tsx'
import { GroupsPage } from './groups/groups-page.tsx'
import { SignUpSettings } from './joining/sign-up-settings.tsx'
import { OutsideAccessPage } from './outside-access/outside-access-page.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { QueuePage } from './queue/queue-page.tsx'
import { SchedulesPage } from './queue/schedules/schedules-page.tsx'
import { RetentionPage } from './retention/retention-page.tsx'
import { SignOnPage } from './sign-on/sign-on-page.tsx'
import { UsagePage } from './usage/usage-page.tsx'
import { UsersPage } from './users-page.tsx'
import './administration.css'

const DatabasesPage = lazy(() => import('../../tools/databases/databases.tsx'))
const ChannelsPage = lazy(() => import('../../api/channels/channels.tsx'))
const BrandPage = lazy(() => import('./companies/branding/brand-page.tsx'))
const ClassesPage = lazy(() => import('./companies/classes/classes-page.tsx'))
const MaskingPage = lazy(() => import('./companies/masking/masking-page.tsx'))
const HiddenControlsPage = lazy(() => import('./grants/hidden-controls/hidden-controls-page.tsx'))
const TermsPage = lazy(() => import('./companies/terms/terms-page.tsx'))

const loading = (page: ReactNode) => (
  <Suspense fallback={<Skeletons className="grid gap-2" sizes={['h-8', 'h-16', 'h-16']} />}>{page}</Suspense>
)
const Databases = () => loading(<DatabasesPage />)
const Channels = () => loading(<ChannelsPage />)
const Brand = () => loading(<BrandPage />)
const Classes = () => loading(<ClassesPage />)
const Masking = () => loading(<MaskingPage />)
const HiddenControls = () => loading(<HiddenControlsPage />)
const Terms = () => loading(<TermsPage />)

const contents: Record<AdminPage, () => ReactNode> = {
  overview: OverviewPage,
  users: UsersPage,
  companies: CompaniesPage,
  groups: GroupsPage,
  projects: UnmanagedProjectsPage,
  grants: GrantsPage,
  hidden_controls: HiddenControls,
  sign_up: SignUpSettings,
  sign_on: SignOnPage,
  connections: OutsideAccessPage,
  databases: Databases,
  channels: Channels,
  schedules: SchedulesPage,
  queue: QueuePage,
  usage: UsagePage,
  budgets: BudgetsPage,
  announcements: AnnouncementsPage,
  brand: Brand,
  terms: Terms,
  classes: Classes,
  masking: Masking,
  retention: RetentionPage,
  accesses: AccessesPage,
  audit: AuditPage,
}
const icons: Record<AdminPage, LucideIcon> = {
  overview: LayoutDashboard,
  users: Users,
  companies: Building2,
  groups: UsersRound,
  projects: FolderKanban,
  grants: ShieldCheck,
  hidden_controls: EyeOff,
  sign_up: UserPlus,
  sign_on: KeyRound,
  connections: Plug,
  databases: Database,
  channels: MessagesSquare,
  schedules: CalendarSync,
  queue: ListChecks,
  usage: ChartColumn,
  budgets: Target,
  announcements: Megaphone,
  brand: Palette,
  terms: FileCheck,
  classes: Layers,
  masking: EyeOff,
  retention: CalendarClock,
  accesses: Eye,
  audit: ScrollText,
}

/** The admin area: its navigation and the open page. */
export function AdministrationView() {
  const { t } = useTranslation('admin')
  const { page: asked } = useSearch({ strict: false }) as { page?: string }
  const me = useMe()
  const isSuper = isSuperAdmin(me)
  const allowed = adminPages(isSuper)
  const page = allowed.find((one) => one === asked) ?? 'overview'
  const Shown = contents[page]
  const row = useCurrentInSight<HTMLElement>(page)
  if (me?.administration_closed)
    return (
      <View title={t('administration.title')}>
        <EmptyState page icon={<MapPinOff aria-hidden />} title={t('networks.closed_title')}>
          {t('common:errors.administration_closed')}
        </EmptyState>
      </View>
    )
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
          {Object.entries(pageGroups).map(([group, members]) => (
            <PageGroup
              key={group}
              group={group as keyof typeof pageGroups}
              pages={members.filter((one) => allowed.includes(one))}
              current={page}
              isSuper={isSuper}
            />
          ))}
        </nav>
        <div className="admin-page in-order">
          <Shown />
        </div>
      </div>
    </View>
  )
}

type PageGroupProps = {
  group: keyof typeof pageGroups
  pages: readonly AdminPage[]
  current: AdminPage
  isSuper: boolean
}

/** A group of the navigation. Super admins also reach the models and the first steps here. */
function PageGroup({ group, pages: shown, current, isSuper }: PageGroupProps) {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const show = (next: AdminPage) =>
    void navigate({ to: '/admin', search: { page: next } as never, replace: true })
  if (shown.length === 0) return null
  return (
    <>
      {group !== 'first' && <p>{t(`administration.groups_of_pages.${group}`)}</p>}
      {isSuper && group === 'work' && (
        <Link to="/admin/models" className="hover-motion">
          <Cpu aria-hidden className="icon" />
          {t('models.title')}
        </Link>
      )}
      {group === 'work' && (
        <Link to={'/documents/connectors' as '/documents'} className="hover-motion">
          <Cable aria-hidden className="icon" />
          {t('administration.connectors')}
        </Link>
      )}
      {shown.map((one) => {
        const Icon = icons[one]
        return (
          <button
            key={one}
            type="button"
            aria-current={one === current ? 'page' : undefined}
            onClick={() => show(one)}
            className="hover-motion"
          >
            <Icon aria-hidden className="icon" />
            {t(`administration.page.${one}`)}
          </button>
        )
      })}
      {isSuper && group === 'house' && (
        <Link to="/setup" className="hover-motion">
          <Flag aria-hidden className="icon" />
          {t('administration.setup')}
        </Link>
      )}
    </>
  )
}
