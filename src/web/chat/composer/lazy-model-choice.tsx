import { type ComponentProps, lazy, Suspense } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'

const Loaded = lazy(() => import('./model-choice.tsx').then((file) => ({ default: file.ModelChoice })))

/** The model list, loaded on first use. */
export function ModelChoice(props: ComponentProps<typeof Loaded>) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <Suspense fallback={<p className="p-4 text-13 text-ink-2">{t('model.loading')}</p>}>
      <Loaded {...props} />
    </Suspense>
  )
}
