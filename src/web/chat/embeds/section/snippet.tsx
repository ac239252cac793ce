import { Download, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { EXTENSION_FILE } from '#shared/chat/embeds/addresses.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { languageNames, languages } from '../../../platform/i18n/language.ts'
import { buttonLook } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Checkbox } from '../../../platform/ui/checkbox.tsx'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { Input } from '../../../platform/ui/input.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { type Place, snippetOf, type Wanted } from './snippet-text.ts'

const places: Place[] = ['bubble', 'frame', 'extension']
const themes: Wanted['theme'][] = ['page', 'light', 'dark']

/** Builds the snippet for a page. `token` is a newly created one; later ones are inserted by hand. */
export function Snippet({ name, token }: { name: string; token: string | null }) {
  const { t } = useTranslation('embeds')
  const [wanted, setWanted] = useState<Wanted>({
    ...{ place: 'bubble', title: name, language: 'page', theme: 'page' },
    ...{ showsSources: true, showsStarters: true },
  })
  const change = (changes: Partial<Wanted>) => setWanted((before) => ({ ...before, ...changes }))
  const text = snippetOf(wanted, token ?? t('snippet.placeholder'), location.origin)
  return (
    <section aria-label={t('snippet.title')} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 className="text-16 font-semibold">{t('snippet.title')}</h2>
      <div>
        <Choice name={t('snippet.place')}>
          {places.map((place) => (
            <Segment key={place} isOn={wanted.place === place} onClick={() => change({ place })}>
              {t(`snippet.places.${place}`)}
            </Segment>
          ))}
        </Choice>
      </div>
      <p className="text-13 text-ink-2">{t(`snippet.about.${wanted.place}`)}</p>
      {wanted.place !== 'extension' && (
        <Field label={t('snippet.name')}>
          <Input
            value={wanted.title}
            maxLength={100}
            onChange={({ target }) => change({ title: target.value })}
          />
        </Field>
      )}
      <Field label={t('snippet.language')}>
        <Select
          value={wanted.language}
          onValueChange={(language) => change({ language: language as Wanted['language'] })}
          options={[
            { value: 'page', label: t('snippet.language_of_visitor') },
            ...languages.map((value) => ({ value, label: languageNames[value] })),
          ]}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-4">
        <Choice name={t('snippet.theme')}>
          {themes.map((theme) => (
            <Segment key={theme} isOn={wanted.theme === theme} onClick={() => change({ theme })}>
              {t(`snippet.themes.${theme}`)}
            </Segment>
          ))}
        </Choice>
        <Checkbox
          checked={wanted.showsSources}
          onCheckedChange={(showsSources) => change({ showsSources })}
          label={t('snippet.sources')}
        />
        <Checkbox
          checked={wanted.showsStarters}
          onCheckedChange={(showsStarters) => change({ showsStarters })}
          label={t('snippet.starters')}
        />
      </div>
      {token && <Callout tone="warning">{t('snippet.shown_once')}</Callout>}
      <div className="rounded-card border border-line">
        <div className="flex items-center gap-2 border-b border-line py-1 pr-1 pl-3.5">
          <span className="flex-1 text-13 text-ink-2">{t(`snippet.put.${wanted.place}`)}</span>
          <CopyButton name={t('snippet.copy')} size="sm" read={() => text} />
        </div>
        <pre className="overflow-x-auto p-3.5 font-mono text-12">{text}</pre>
      </div>
      <div className="flex flex-wrap gap-2">
        {token && (
          <a
            href={snippetOf({ ...wanted, place: 'extension' }, token, location.origin)}
            target="_blank"
            rel="noreferrer noopener"
            className={buttonLook()}
          >
            <ExternalLink aria-hidden className="icon" />
            {t('snippet.look')}
          </a>
        )}
        {wanted.place === 'extension' && (
          <a href={EXTENSION_FILE} download className={buttonLook()}>
            <Download aria-hidden className="icon" />
            {t('snippet.download')}
          </a>
        )}
      </div>
    </section>
  )
}
