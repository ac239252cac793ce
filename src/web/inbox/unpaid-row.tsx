import { Link } from '@tanstack/react-router'
import type { InputRequest } from '#shared/input-requests/input-requests.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { buttonLook } from '../ui/button.tsx'
import { RowFrame } from './row-frame.tsx'

type UnpaidRowProps = { item: InputRequest; isCurrent: boolean; onCurrent: () => void }

/** A run that waits for nothing but a balance. */
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
