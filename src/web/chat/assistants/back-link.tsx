import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTranslation } from '../../platform/i18n/i18n.ts'

/** The link back to the list. */
export function BackLink() {
  const { t } = useTranslation('assistant')
  return (
    <Link
      to="/assistant"
      className="my-4 inline-flex items-center gap-1.5 rounded-control text-13 font-medium text-ink-2 hover:text-ink max-md:min-h-11"
    >
      <ArrowLeft aria-hidden className="icon-14" />
      {t('back')}
    </Link>
  )
}
