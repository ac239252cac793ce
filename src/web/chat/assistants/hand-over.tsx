import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Assistant } from '#shared/chat/assistants/assistants.ts'
import { handOver, listHeirs } from '#shared/chat/assistants/hand-over.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Field } from '../../platform/ui/field.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'

type HandOverProps = { assistant: Pick<Assistant, 'id' | 'name'>; onClose: () => void }

/** Transfers an assistant to another owner, a person who may edit it. */
export function HandOver({ assistant: { id, name }, onClose }: HandOverProps) {
  const { t } = useTranslation('assistant')
  const [chosen, setChosen] = useState('')
  const heirs = useQuery({
    queryKey: ['assistants', 'heirs', id],
    queryFn: ({ signal }) => call(listHeirs, { params: { assistantId: id }, signal }),
    gcTime: 0,
  })
  const give = useAction(
    () => call(handOver, { params: { assistantId: id }, body: { user_id: chosen } }),
    () => {
      void toast.success(t('hand_over.done', { name }))
      void queryClient.invalidateQueries({ queryKey: ['assistants'] })
      onClose()
    },
  )
  const problem = give.error ?? heirs.error
  const isNobody = heirs.data?.length === 0
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('hand_over.title', { name })}
      description={t('hand_over.text')}
      footer={
        <>
          <Button onClick={onClose}>{t('common:actions.cancel')}</Button>
          <Button variant="primary" busy={give.isPending} disabled={!chosen} onClick={() => void give.run()}>
            {t('hand_over.give')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3.5">
        <Field label={t('hand_over.to')} hint={isNobody ? t('hand_over.nobody') : undefined}>
          <Select
            value={chosen}
            disabled={!heirs.data || isNobody}
            onValueChange={setChosen}
            options={[
              { value: '', label: t(heirs.isPending ? 'hand_over.loading' : 'hand_over.choose') },
              ...(heirs.data ?? []).map((heir) => ({ value: heir.id, label: heir.name })),
            ]}
          />
        </Field>
        {problem != null && <Callout tone="danger">{errorText(t, problem)}</Callout>}
      </div>
    </Dialog>
  )
}
