import { MapPin } from 'lucide-react'
import { useState } from 'react'
import { type CompanyNetwork, MAX_NOTE_CHARACTERS } from '#shared/identity/networks/networks.ts'
import { errorText } from '../../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../platform/ui/badge.tsx'
import { Button } from '../../../../platform/ui/button.tsx'
import { Callout } from '../../../../platform/ui/callout.tsx'
import { Field } from '../../../../platform/ui/field.tsx'
import { Input } from '../../../../platform/ui/input.tsx'
import { ConfirmDialog } from '../../../../platform/ui/overlays/confirm-dialog.tsx'
import { FormDialog } from '../../../../platform/ui/overlays/form-dialog.tsx'
import { toast } from '../../../../platform/ui/toasts/toasts.ts'
import { refusalText, useChangeNote, useRemoveNetwork } from './use-networks.ts'

type NetworkRowProps = {
  companyId: string
  network: CompanyNetwork
  address: string
  /** The list restricts nothing without this network. */
  isLast: boolean
}

export function NetworkRow({ companyId, network, address, isLast }: NetworkRowProps) {
  const { t } = useTranslation('admin')
  const [open, setOpen] = useState<'note' | 'remove' | null>(null)
  const removing = useRemoveNetwork(companyId, network)
  const remove = () =>
    removing.mutate(undefined, {
      onError: (error) => void toast.error(refusalText(t, error, address)),
      onSettled: () => setOpen(null),
    })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-13">
      <span className="min-w-0 flex-1 basis-56">
        <span className="flex flex-wrap items-center gap-2">
          <code className="min-w-0 break-all">{network.network}</code>
          {network.has_caller && (
            <Badge tone="success" icon={<MapPin aria-hidden />}>
              {t('networks.has_you')}
            </Badge>
          )}
        </span>
        {network.note && <span className="mt-0.5 block break-words text-ink-2">{network.note}</span>}
      </span>
      <span className="flex gap-2">
        <Button
          size="sm"
          aria-label={t('networks.edit_note_of', { network: network.network })}
          onClick={() => setOpen('note')}
        >
          {t('networks.edit_note')}
        </Button>
        <Button
          size="sm"
          variant="danger-ghost"
          aria-label={t('networks.remove_one', { network: network.network })}
          onClick={() => setOpen('remove')}
        >
          {t('networks.remove')}
        </Button>
      </span>
      <ConfirmDialog
        open={open === 'remove'}
        onOpenChange={(isOpen) => !isOpen && setOpen(null)}
        tone="danger"
        title={t('networks.remove_title', { network: network.network })}
        message={t(isLast ? 'networks.remove_last' : 'networks.remove_text')}
        confirmLabel={t('networks.remove')}
        busy={removing.isPending}
        onConfirm={remove}
      />
      {open === 'note' && <NoteForm companyId={companyId} network={network} onClose={() => setOpen(null)} />}
    </li>
  )
}

type NoteFormProps = { companyId: string; network: CompanyNetwork; onClose: () => void }

function NoteForm({ companyId, network, onClose }: NoteFormProps) {
  const { t } = useTranslation('admin')
  const [note, setNote] = useState(network.note)
  const changing = useChangeNote(companyId, network, onClose)
  return (
    <FormDialog
      title={t('networks.note_title', { network: network.network })}
      send={t('networks.save')}
      busy={changing.isPending}
      onSend={() => changing.mutate(note.trim())}
      onClose={onClose}
    >
      <Field label={t('networks.note')} optional>
        <Input
          maxLength={MAX_NOTE_CHARACTERS}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </Field>
      {changing.error && <Callout tone="danger">{errorText(t, changing.error)}</Callout>}
    </FormDialog>
  )
}
