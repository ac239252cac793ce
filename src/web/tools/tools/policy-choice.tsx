import { useId, useState } from 'react'
import { setToolPolicy, type ToolPolicy } from '#shared/tools/tools/policy.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Radio } from '../../platform/ui/checkbox.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { notePolicy } from './look/use-tools.ts'

const policies = ['auto', 'ask', 'never'] as const satisfies ToolPolicy[]

/** The user's permission for a tool: run automatically, ask first, or never run. */
export function PolicyChoice({ tool }: { tool: Tool }) {
  const { t } = useTranslation('tools')
  const group = useId()
  const [wish, setWish] = useState<ToolPolicy | null>(null)
  // Permission covers the version on screen.
  const seen = tool.version === null ? {} : { tool_version: tool.version }
  const choose = async (policy: ToolPolicy) => {
    setWish(policy)
    try {
      const decided = await call(setToolPolicy, { params: { toolId: tool.id }, body: { policy, ...seen } })
      notePolicy(tool.id, decided.policy)
    } catch (error) {
      void toast.error(errorText(t, error))
    } finally {
      setWish(null)
    }
  }
  return (
    <fieldset aria-busy={wish !== null} className="grid gap-2.5">
      <legend className="mb-2.5 text-13 font-semibold">{t('policy.title')}</legend>
      {tool.said && (
        <p className="text-12 text-ink-2">
          {t(`claims.${tool.said.claim}_text`)}
          {(tool.said.news === 'changed' || tool.said.news === 'moved') &&
            ` ${t(`claims.${tool.said.news}_text`)}`}
        </p>
      )}
      {policies.map((policy) => (
        <label key={policy} className="flex cursor-pointer items-start gap-2.5 max-md:min-h-11">
          <Radio
            name={group}
            checked={(wish ?? tool.policy) === policy}
            disabled={policy === 'auto' && !tool.may_allow}
            onChange={() => void choose(policy)}
            className="mt-0.5"
          />
          <span>
            <span className="block text-13 font-medium">{t(`policy.${policy}`)}</span>
            <span className="block text-12 text-ink-3">
              {t(policy === 'auto' && !tool.may_allow ? 'policy.auto_closed' : `policy.${policy}_text`)}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
