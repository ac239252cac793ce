import type { Tool } from '#shared/tools/tools/tools.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { useToolTexts } from './look/tool-texts.tsx'
import { offerTool, useIsOffered } from './session-tools.ts'

type OfferSwitchProps = { tool: Tool; sessionId: string; hasLabel?: boolean; className?: string }

/** Offers a tool to the model of a chat, or withholds it. */
export function OfferSwitch({ tool, sessionId, hasLabel = false, className }: OfferSwitchProps) {
  const { t } = useTranslation('tools')
  const { name } = useToolTexts(tool)
  const isOffered = useIsOffered(sessionId, tool)
  const change = async (next: boolean) => {
    try {
      await offerTool(sessionId, tool.id, next)
    } catch (error) {
      void toast.error(errorText(t, error))
    }
  }
  return (
    <Switch
      checked={isOffered ?? true}
      disabled={isOffered === undefined}
      aria-label={t('offer', { tool: name })}
      {...(hasLabel && {
        label: (
          <span className="text-13 whitespace-nowrap text-ink-2 max-lg:sr-only">{t('offered_here')}</span>
        ),
      })}
      data-tip={t(isOffered === false ? 'withheld_tip' : 'offered_tip')}
      onCheckedChange={(next) => void change(next)}
      className={className}
    />
  )
}
