import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { buttonLook } from '../../platform/ui/button.tsx'
import { View } from '../../platform/ui/view.tsx'
import { RetrievalBench } from './retrieval-bench.tsx'

/** The retrieval bench, next to the debug area of super admins. */
export function BenchView() {
  const { t } = useTranslation('admin')
  return (
    <View
      title={t('debug.bench.title')}
      badges={
        <Badge tone="line" className="max-md:hidden">
          {t('debug.super_admin')}
        </Badge>
      }
      actions={
        <Link to="/debug" className={buttonLook({ size: 'sm' })}>
          {t('debug.title')}
        </Link>
      }
    >
      <RetrievalBench />
    </View>
  )
}
