import { BookMarked } from 'lucide-react'
import { getPrompt } from '#shared/chat/prompts/prompts.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { useOwnPrompts } from '../use-own-prompts.ts'
import type { FormProps } from './schedule-draft.ts'

/** Takes over the text, the fields and the settings of a prompt. */
export function FromPrompt({ change }: Pick<FormProps, 'change'>) {
  const { t } = useTranslation('schedules')
  const prompts = useOwnPrompts()
  if (prompts.length === 0) return null
  const take = async (promptId: string) => {
    try {
      const { text, fields, assistant_id, model_name, documents } = await call(getPrompt, {
        params: { promptId },
      })
      const things = [
        ...(assistant_id ? [{ kind: 'assistant' as const, id: assistant_id, name: '' }] : []),
        ...documents.slice(0, 9).map((id) => ({ kind: 'document' as const, id, name: '' })),
      ]
      change({
        fields: fields.filter(({ type }) => type !== 'file' && type !== 'document'),
        things,
        model_name,
      })
      change({ text })
    } catch (error) {
      void toast.error(errorText(t, error))
    }
  }
  return (
    <Menu
      align="end"
      trigger={
        <Button size="sm" variant="ghost" icon={<BookMarked aria-hidden className="icon-14" />}>
          {t('from_prompt')}
        </Button>
      }
      entries={prompts.map(({ id, name }) => ({ label: name, onSelect: () => void take(id) }))}
    />
  )
}
