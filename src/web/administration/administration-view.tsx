import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Building2, Cpu, KeyRound, type LucideIcon, ScrollText, UserPlus, Users } from 'lucide-react'
import { useTranslation } from '../i18n/i18n.ts'
import { useMe } from '../lib/me.ts'
import { isSuperAdmin } from '../lib/roles.ts'
import { Badge } from '../ui/badge.tsx'
import { View } from '../ui/view.tsx'
import { AuditPage } from './audit-page.tsx'
import { CompaniesPage } from './companies-page.tsx'
import { SignOnPage } from './sign-on-page.tsx'
import { SignUpSettings } from './sign-up-settings.tsx'
import { UsersPage } from './users-page.tsx'
import './administration.css'

const pages = ['users', 'companies', 'sign_up', 'sign_on', 'audit'] as const
type Page = (typeof pages)[number]
const contents = {
  users: UsersPage,
  companies: CompaniesPage,
  sign_up: SignUpSettings,
  sign_on: SignOnPage,
  audit: AuditPage,
}
/** Only for super admins. */
const apart: readonly Page[] = ['sign_up', 'sign_on']
const icons: Record<Page, LucideIcon> = {
  users: Users,
  companies: Building2,
  sign_up: UserPlus,
  sign_on: KeyRound,
  audit: ScrollText,
}

/** The admin area: people and companies, and for super admins the way to the models. */
export function AdministrationView() {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const { page: asked } = useSearch({ strict: false }) as { page?: string }
  const isSuper = isSuperAdmin(useMe())
  const shown = pages.filter((one) => isSuper || !apart.includes(one))
  const page = shown.find((one) => one === asked) ?? 'users'
  const Shown = contents[page]
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
        <nav aria-label={t('administration.pages')} className="admin-nav">
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
        </nav>
        <div className="admin-page">
          <Shown />
        </div>
      </div>
    </View>
  )
}
