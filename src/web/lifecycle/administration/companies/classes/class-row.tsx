import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { CompanyClass } from '#shared/models/data-classes/data-classes.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { formatNumber } from '../../../../platform/i18n/format.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { isApiError } from '../../../../platform/lib/api/api-error.ts'
import { Badge } from '../../../../platform/ui/badge.tsx'
import { Button } from '../../../../platform/ui/button.tsx'
import { IconButton } from '../../../../platform/ui/icon-button.tsx'
import { ConfirmDialog } from '../../../../platform/ui/overlays/confirm-dialog.tsx'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'
import { NameDialog } from '../name-dialog.tsx'
import { type ClassChange, useChangeClass, useRemoveClass } from './use-classes.ts'

type ClassRowProps = { companyId: string; one: CompanyClass; at: number; count: number }

/** A class with its place in the order. A class in use cannot be removed. */
export function ClassRow({ companyId, one, at, count }: ClassRowProps) {
  const { t } = useTranslation('admin')
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const changing = useChangeClass(companyId)
  const removing = useRemoveClass(companyId)
  const { id, name, used, is_default } = one
  const tell = (error: Error) =>
    void toast.error(isApiError(error, 409) ? t('classes.refused') : errorText(t, error))
  const change = (changes: Omit<ClassChange, 'id'>) => changing.mutate({ id, ...changes }, { onError: tell })
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2 text-13">
      <span className="flex min-w-0 flex-1 basis-48 flex-wrap items-center gap-2 max-md:basis-full">
        <span className="font-medium break-words">{name}</span>
        {is_default && <Badge tone="line">{t('classes.default')}</Badge>}
        <span className="num text-ink-3">
          {t('classes.used', { count: used, shown: formatNumber(used) })}
        </span>
      </span>
      {!is_default && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={t('classes.make_default_of', { name })}
          onClick={() => change({ is_default: true })}
        >
          {t('classes.make_default')}
        </Button>
      )}
      <span className="ml-auto flex items-center gap-1">
        <IconButton
          name={t('classes.up', { name })}
          disabled={at === 0}
          onClick={() => change({ position: at - 1 })}
        >
          <ArrowUp aria-hidden className="icon" />
        </IconButton>
        <IconButton
          name={t('classes.down', { name })}
          disabled={at === count - 1}
          onClick={() => change({ position: at + 1 })}
        >
          <ArrowDown aria-hidden className="icon" />
        </IconButton>
        <IconButton name={t('classes.rename_of', { name })} onClick={() => setOpen('rename')}>
          <Pencil aria-hidden className="icon" />
        </IconButton>
        <IconButton
          name={used > 0 || is_default ? t('classes.in_use') : t('classes.remove_of', { name })}
          disabled={used > 0 || is_default}
          onClick={() => setOpen('remove')}
        >
          <Trash2 aria-hidden className="icon" />
        </IconButton>
      </span>
      {open === 'rename' && (
        <NameDialog
          title=""
          label={t('classes.name')}
          name={name}
          naming={changing}
          onName={(typed) => changing.mutate({ id, name: typed }, { onSuccess: () => setOpen(null) })}
          onClose={() => setOpen(null)}
        />
      )}
      <ConfirmDialog
        open={open === 'remove'}
        onOpenChange={(isOpen) => !isOpen && setOpen(null)}
        tone="danger"
        title={t('classes.remove_title', { name })}
        message={t('classes.remove_text')}
        confirmLabel={t('classes.remove')}
        busy={removing.isPending}
        onConfirm={() => removing.mutate(id, { onError: tell, onSettled: () => setOpen(null) })}
      />
    </li>
  )
}
