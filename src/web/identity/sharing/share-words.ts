import type { Share } from '#shared/identity/sharing/sharing.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useMe } from '../../platform/lib/me/me.ts'

/** Returns the name of a share's recipient and what it is; a recipient of another company has no name. */
export function useShareWords({ who, name, company, shared_by }: Share): { name: string; detail: string } {
  const { t } = useTranslation('sharing')
  const me = useMe()
  const of = () => {
    if (who === 'everybody') return t('everybody_text')
    if (name === null) return t(who === 'project' ? 'project' : 'hidden')
    return company && who !== 'company' ? t(`${who}_of`, { company }) : t(who)
  }
  const by = shared_by !== null && shared_by !== (me?.full_name?.trim() || me?.username)
  const shown = name ?? t(who === 'everybody' ? 'everybody' : `unnamed_${who}`)
  return { name: shown, detail: by ? `${of()} · ${t('by', { name: shared_by })}` : of() }
}
