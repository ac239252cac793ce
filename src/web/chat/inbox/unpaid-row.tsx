import { Link } from '@tanstack/react-router'
import type { InputRequest } from '#shared/runs/input-requests/input-requests.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { buttonLook } from '../../platform/ui/button.tsx'
import { RowFrame } from './row-frame.tsx'

type UnpaidRowProps = { item: InputRequest; isCurrent: boolean; onCurrent: () => void }

/** A run that only waits for a balance. */
export function UnpaidRow(props: UnpaidRowProps) {
  const { t } = useTranslation('common')
  return (
    <RowFrame
      {...props}
      actions={
        <Link to="/user/billing" className={buttonLook()}>
          {t('inbox.top_up')}
        </Link>
      }
    />
  )
}
