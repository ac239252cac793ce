import { ArrowUpRight } from 'lucide-react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useFollowBrand } from '../branding/branding.ts'
import { TypingTitle } from './typing/typing-title.tsx'

/** Product showcase next to the login form: a self-typing title and an answer with sources. */
export function Showcase() {
  useFollowBrand()
  const { t } = useTranslation('login')
  const phrases = [t('titles.sources'), t('titles.work'), t('titles.memory')]
  return (
    <div className="w-full max-w-110">
      <TypingTitle phrases={phrases} />
      <div aria-hidden className="mt-10 rounded-card border border-line bg-raised px-4.5 py-4">
        <p className="text-15 leading-6">
          {t('sample.before')} <b className="font-medium">{t('sample.date')}</b>
          {'\u00a0'}
          <Citation number={1} />
          {t('sample.after')}
          {'\u00a0'}
          <Citation number={2} isCurrent />.
        </p>
        <hr className="my-3.5 border-line" />
        <div className="flex items-center gap-2.5">
          <span className="grid size-8 flex-none place-items-center rounded-control bg-surface-2 text-[10.5px] font-semibold text-ink-2">
            {t('sample.kind')}
          </span>
          <div className="min-w-0 flex-1">
            <div className="truncate text-13 leading-[17px] font-medium">{t('sample.file')}</div>
            <div className="text-12 text-ink-3">{t('sample.place')}</div>
          </div>
          <span className="flex items-center gap-1 text-13 font-medium text-accent">
            {t('sample.open')}
            <ArrowUpRight className="icon-14" />
          </span>
        </div>
      </div>
    </div>
  )
}

function Citation({ number, isCurrent = false }: { number: number; isCurrent?: boolean }) {
  const look = isCurrent ? 'bg-accent text-accent-fg' : 'bg-accent-soft text-accent'
  return (
    <span
      className={`num rounded-[5px] px-[5px] py-0.5 align-[1px] text-11 leading-none font-semibold ${look}`}
    >
      {number}
    </span>
  )
}
