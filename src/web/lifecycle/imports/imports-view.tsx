import { useParams } from '@tanstack/react-router'
import type { Import } from '#shared/lifecycle/imports/imports.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { View } from '../../platform/ui/view.tsx'
import { ImportPreview } from './import-preview.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportReceipt } from './import-receipt.tsx'
import { ImportSource } from './import-source.tsx'
import { ImportSteps } from './import-steps.tsx'
import { useImport } from './use-imports.ts'

/** Imports the export of another product in four steps, each with the address of the import. */
export function ImportsView() {
  const { t } = useTranslation('imports')
  const { importId = null } = useParams({ strict: false }) as { importId?: string }
  return (
    <View title={t('title')}>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-[824px] px-8 pt-5 pb-8 max-md:px-4">
          {importId === null ? <ImportSource /> : <OneImport key={importId} id={importId} />}
        </div>
      </div>
    </View>
  )
}

function OneImport({ id }: { id: string }) {
  const { t } = useTranslation('imports')
  const { data, error, refetch } = useImport(id)
  if (data) return <Step one={data} />
  if (error)
    return (
      <Callout
        tone="danger"
        action={
          <Button size="sm" onClick={() => void refetch()}>
            {t('common:actions.retry')}
          </Button>
        }
      >
        {errorText(t, error)}
      </Callout>
    )
  return (
    <>
      <ImportSteps step="source" />
      <Skeletons className="mt-6 grid gap-4" sizes={['h-20 w-full', 'h-32 w-full']} />
    </>
  )
}

function Step({ one }: { one: Import }) {
  switch (one.state) {
    case 'ready':
      return <ImportPreview one={one} />
    case 'done':
    case 'undone':
    case 'stopped':
    case 'failed':
      return <ImportReceipt one={one} />
    default:
      return <ImportProgress one={one} />
  }
}
