import { Link } from '@tanstack/react-router'
import { RefreshCw, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Import } from '#shared/lifecycle/imports/imports.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { type TFunction, useTranslation } from '../../platform/i18n/i18n.ts'
import { Button, buttonLook } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { sizeText } from '../../platform/ui/files/file-size.ts'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { Figures } from './import-figures.tsx'
import { ImportProblems } from './import-problems.tsx'
import { StepHead } from './import-steps.tsx'
import { useImportActions } from './use-imports.ts'

const kinds = [
  'chats',
  'messages',
  'files',
  'assistants',
  'prompts',
  'facts',
  'schedules',
  'projects',
] as const
const always = new Set<string>(['chats', 'messages', 'files'])

/** The result of an import that ended, was stopped, failed or was undone. */
export function ImportReceipt({ one }: { one: Import }) {
  const { t } = useTranslation('imports')
  const { starting, undoing, removing, error } = useImportActions(one.id)
  const [isAsking, setAsking] = useState(false)
  const { state, added } = one
  const hasAdded = Object.values(added).some((count) => count > 0)
  const mayContinue = one.has_file && one.total !== null && (state === 'stopped' || state === 'failed')
  return (
    <>
      <StepHead step="receipt" title={t(`receipt.${state}`)} text={whenText(t, one)} />
      {one.error && (
        <Callout tone="danger" className="mt-6">
          {one.error}
        </Callout>
      )}
      <Figures
        items={kinds
          .filter((kind) => always.has(kind) || added[kind] > 0)
          .map((kind) => [added[kind], t(`figures.${kind}`, { count: added[kind] })])}
      />
      {state === 'undone' && one.kept > 0 && (
        <Callout className="mt-4">{t('receipt.kept', { count: one.kept })}</Callout>
      )}
      <ImportProblems one={one} />
      {state === 'done' && (
        <Callout tone="accent" icon={RefreshCw} title={t('receipt.again')} className="mt-4">
          {t('receipt.again_text')}
        </Callout>
      )}
      {error && (
        <Callout tone="danger" className="mt-4">
          {errorText(t, error)}
        </Callout>
      )}
      <div className="mt-5 flex flex-wrap items-center justify-end gap-2">
        {hasAdded && state !== 'undone' && (
          <Button
            variant="ghost"
            size="lg"
            icon={<Undo2 aria-hidden className="icon" />}
            onClick={() => setAsking(true)}
          >
            {t('receipt.undo')}
          </Button>
        )}
        {!hasAdded && (
          <Button variant="ghost" size="lg" busy={removing.isPending} onClick={() => removing.mutate()}>
            {t('receipt.remove')}
          </Button>
        )}
        {mayContinue && (
          <Button variant="primary" size="lg" busy={starting.isPending} onClick={() => starting.mutate({})}>
            {t('receipt.continue')}
          </Button>
        )}
        {!mayContinue && (
          <Link
            to="/user/data/import/{-$importId}"
            params={{ importId: undefined }}
            className={buttonLook({ size: 'lg' })}
          >
            {t('receipt.another')}
          </Link>
        )}
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('receipt.ask', { name: one.name })}
        message={t('receipt.ask_text')}
        confirmLabel={t('receipt.undo')}
        busy={undoing.isPending}
        onConfirm={() => undoing.mutate(undefined, { onSuccess: () => setAsking(false) })}
      />
    </>
  )
}

function whenText(t: TFunction, { name, size, created_at, finished_at }: Import): string {
  const date = formatDate(finished_at ?? created_at, { dateStyle: 'long', timeStyle: 'short' })
  return t('receipt.when', { name, size: sizeText(t, size), date })
}
