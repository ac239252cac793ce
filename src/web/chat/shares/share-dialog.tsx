import { useMutation } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { linkDays, shareBranch } from '#shared/chat/shares/shares.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { LinkList } from './link-list.tsx'

type ShareDialogProps = { session: Pick<Session, 'id' | 'documents'>; onClose: () => void }

/** Creates a link to the current branch, and lists the links of this chat. */
export default function ShareDialog({ session, onClose }: ShareDialogProps) {
  const { t } = useTranslation('exports')
  const [days, setDays] = useState<string>('30')
  const [chosen, setChosen] = useState<string[]>([])
  const [hidesSteps, setHidesSteps] = useState(true)
  const making = useMutation({
    mutationFn: () =>
      call(shareBranch, {
        params: { sessionId: session.id },
        body: { days: days === '' ? null : Number(days), documents: chosen, hide_steps: hidesSteps },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['links'] }),
  })
  const choose = (id: string, isChosen: boolean) =>
    setChosen(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="md"
      title={t('share.title')}
      footer={
        <>
          <span className="flex-1 self-center text-13 text-ink-2">{t('share.note')}</span>
          <Button
            variant="primary"
            busy={making.isPending}
            icon={<Link2 aria-hidden className="icon" />}
            onClick={() => making.mutate()}
          >
            {t('share.create')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 pt-2">
        <Field label={t('share.ends')}>
          <Select
            value={days}
            options={[
              ...linkDays.map((count) => ({ value: String(count), label: t('share.days', { count }) })),
              { value: '', label: t('share.no_end') },
            ]}
            onValueChange={setDays}
          />
        </Field>
        {session.documents.length > 0 && (
          <fieldset>
            <legend className="mb-2 text-13 font-semibold">{t('share.files')}</legend>
            <p className="mb-2 text-13 text-ink-3">{t('share.files_reason')}</p>
            <ul className="max-h-60 divide-y divide-line overflow-y-auto rounded-card border border-line">
              {session.documents.map(({ id, name }) => (
                <li key={id} className="px-3.5 py-2.5">
                  <Checkbox
                    label={name}
                    checked={chosen.includes(id)}
                    onCheckedChange={(isChosen) => choose(id, isChosen)}
                  />
                </li>
              ))}
            </ul>
          </fieldset>
        )}
        <Checkbox label={t('share.hide_steps')} checked={hidesSteps} onCheckedChange={setHidesSteps} />
        {making.isError && <Callout tone="danger">{errorText(t, making.error)}</Callout>}
        <LinkList sessionId={session.id} newId={making.data?.id ?? null} />
      </div>
    </Dialog>
  )
}
