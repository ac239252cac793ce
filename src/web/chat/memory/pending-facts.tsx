import type { Fact } from '#shared/chat/memory/fact.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Delayed } from '../../platform/ui/states/skeleton.tsx'
import { SourceLine } from './fact-row.tsx'
import { useDecision } from './proposal-card.tsx'
import { useFacts } from './use-facts.ts'

/** The proposals that wait for an answer. */
export function PendingFacts() {
  const { t } = useTranslation('memory')
  const { items, isError, more } = useFacts('', 'proposed')
  if (!items && !isError) return <Delayed />
  if (!items || items.length === 0) return null
  return (
    <section className="grid grid-cols-1 gap-2">
      <h2 className="text-14 font-semibold">{t('section.proposed')}</h2>
      <ul aria-label={t('section.proposed')} className="divide-y divide-line rounded-card border border-line">
        {items.map((fact) => (
          <PendingRow key={fact.id} fact={fact} />
        ))}
      </ul>
      {more && (
        <Button className="justify-self-center" busy={more.isLoading} onClick={more.load}>
          {t('more')}
        </Button>
      )}
    </section>
  )
}

function PendingRow({ fact }: { fact: Fact }) {
  const { t } = useTranslation('memory')
  const { mutate, isPending } = useDecision(fact, null)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 max-md:px-3">
      <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
        <p className="text-14 font-medium wrap-anywhere" dir="auto">
          {fact.text}
        </p>
        {fact.contradicts && (
          <p className="text-12 text-ink-2 wrap-anywhere">{t('replaces', { fact: fact.contradicts.text })}</p>
        )}
        <SourceLine fact={fact} />
      </div>
      <span className="flex gap-2">
        <Button size="sm" variant="ghost" disabled={isPending} onClick={() => mutate({ accept: false })}>
          {t('proposal.reject')}
        </Button>
        <Button size="sm" busy={isPending} onClick={() => mutate({ accept: true })}>
          {t(fact.contradicts ? 'proposal.replace' : 'proposal.accept')}
        </Button>
      </span>
    </li>
  )
}
