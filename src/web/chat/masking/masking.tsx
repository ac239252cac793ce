import { ChevronDown, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { MaskKind } from '#shared/models/masking/masking.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { Popover } from '../../platform/ui/overlays/popover.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { useChatMasking, useChooseMasking, useFreshMasking, useMaskedDetails } from './use-chat-masking.ts'

type Reply = { sessionId: string; messageId: string; createdAt: string }

/** Says how many personal details were replaced for a reply, and lists them. Nothing when there were none. */
export function MaskedDetails({ sessionId, messageId, createdAt }: Reply) {
  const { t, i18n } = useTranslation('memory')
  const { data } = useChatMasking(sessionId)
  useFreshMasking(sessionId, messageId, createdAt)
  const [isOpen, setOpen] = useState(false)
  const counts = data?.replies.find((reply) => reply.message_id === messageId)?.counts
  if (!counts) return null
  const kinds = MaskKind.options.filter((kind) => counts[kind])
  const total = kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0)
  const list = new Intl.ListFormat(i18n.language).format(
    kinds.map((kind) => t(`masked.count.${kind}`, { count: counts[kind] ?? 0 })),
  )
  return (
    <Popover
      name={t('masked.title')}
      side="top"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-90"
      trigger={
        <button
          type="button"
          className="mt-2 flex min-h-8 items-center gap-1.5 text-left text-12 text-ink-3 hover:text-ink max-md:min-h-11 print:hidden"
        >
          <EyeOff aria-hidden className="icon size-3.5 flex-none" />
          <span>{t('masked.line', { count: total, list })}</span>
          <ChevronDown aria-hidden className="icon size-3.5 flex-none" />
        </button>
      }
    >
      <DetailList sessionId={sessionId} messageId={messageId} />
    </Popover>
  )
}

function DetailList({ sessionId, messageId }: Omit<Reply, 'createdAt'>) {
  const { t } = useTranslation('memory')
  const { data, error } = useMaskedDetails(sessionId, messageId, true)
  return (
    <div className="grid gap-2">
      <h3 className="text-13 font-semibold">{t('masked.title')}</h3>
      <p className="text-12 text-ink-3">{t('masked.text')}</p>
      {error && <p className="text-13 text-danger">{errorText(t, error)}</p>}
      {!data && !error && <Skeletons sizes={['h-4 w-full', 'h-4 w-3/4']} />}
      <ul aria-label={t('masked.title')} className="grid max-h-72 gap-1.5 overflow-y-auto">
        {data?.map(({ placeholder, value }) => (
          <li key={placeholder} className="flex items-baseline gap-3 text-13">
            <span className="min-w-0 flex-1 whitespace-pre-line wrap-anywhere">{value}</span>
            <code className="flex-none text-12 text-ink-3">{placeholder}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Switches the replacement on for a chat where the company leaves it to its people. Nothing when the company replaces nothing. */
export function MaskingSwitch({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('memory')
  const { data } = useChatMasking(sessionId)
  const { mutate, isPending } = useChooseMasking(sessionId)
  if (!data || data.mode === 'off') return null
  return (
    <div className="mt-2 border-t border-line pt-2">
      <div className="flex min-h-9 items-center gap-3 max-md:min-h-11">
        <span className="min-w-0 flex-1">{t('masked.switch')}</span>
        <Switch
          aria-label={t('masked.switch')}
          checked={data.is_on}
          disabled={data.mode === 'on' || isPending}
          onCheckedChange={(isOn) =>
            mutate(isOn, { onError: (wrong) => void toast.error(errorText(t, wrong)) })
          }
        />
      </div>
      <p className="text-12 text-ink-3">{t(data.mode === 'on' ? 'masked.decided' : 'masked.switch_hint')}</p>
    </div>
  )
}
