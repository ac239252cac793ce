import { Link } from '@tanstack/react-router'
import { FileJson, Globe } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'

/** Ways to create a tool: this form, or an API description. */
export function KindCards() {
  const { t } = useTranslation('own_tools')
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <span className="grid gap-0.5 rounded-card border border-accent bg-accent-soft p-3.5">
        <span className="flex items-center gap-2 text-14 font-medium">
          <Globe aria-hidden className="icon text-accent" />
          {t('kinds.http')}
        </span>
        <span className="text-12 text-ink-2">{t('kinds.http_text')}</span>
      </span>
      <Link
        to="/tools/openapi"
        className="grid gap-0.5 rounded-card border border-line-2 p-3.5 hover-motion hover:bg-surface"
      >
        <span className="flex items-center gap-2 text-14 font-medium">
          <FileJson aria-hidden className="icon text-ink-2" />
          {t('kinds.openapi')}
        </span>
        <span className="text-12 text-ink-2">{t('kinds.openapi_text')}</span>
      </Link>
    </div>
  )
}
