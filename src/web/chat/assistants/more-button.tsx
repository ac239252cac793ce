import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import type { MoreAssistants } from './use-assistants.ts'

/** Below a list: loads its next page. */
export function MoreButton({ more }: { more: NonNullable<MoreAssistants> }) {
  const { t } = useTranslation('assistant')
  return (
    <div className="border-t border-line p-2">
      <Button variant="ghost" size="sm" className="w-full" disabled={more.isLoading} onClick={more.load}>
        {t('more')}
      </Button>
    </div>
  )
}
