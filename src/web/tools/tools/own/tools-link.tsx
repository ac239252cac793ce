import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'

/** Link back to the tool's page, or to the list. */
export function ToolsLink({ toolId }: { toolId?: string | undefined }) {
  const { t } = useTranslation('own_tools')
  const look =
    'my-4 inline-flex items-center gap-1.5 rounded-control text-13 font-medium text-ink-2 hover:text-ink max-md:min-h-11'
  const arrow = <ArrowLeft aria-hidden className="icon-14" />
  if (!toolId)
    return (
      <Link to="/tools" className={look}>
        {arrow}
        {t('tools:back')}
      </Link>
    )
  return (
    <Link to="/tools/$toolId" params={{ toolId }} className={look}>
      {arrow}
      {t('back_to_tool')}
    </Link>
  )
}
