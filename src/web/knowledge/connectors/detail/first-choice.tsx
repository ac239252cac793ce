import { useState } from 'react'
import type { Connector } from '#shared/knowledge/connectors/connectors.ts'
import type { Source } from '#shared/knowledge/connectors/sources.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { ChooseContent } from '../adding/choose-content.tsx'
import { nameOfSource } from '../connector-words.ts'

/** The choice of content and readers after the sign-in on the page of the source. */
export function FirstChoice({ connector, source }: { connector: Connector; source: Source }) {
  const { t } = useTranslation('connectors')
  const [key] = useState(() => crypto.randomUUID())
  const { id, company_id, name } = connector
  const trial = { key, source: source.id, settings: {}, company_id, connector_id: id }
  return (
    <>
      <header>
        <h2 className="text-18 font-semibold tracking-[-0.02em]">{nameOfSource(t, source.id)}</h2>
        <p className="mt-1 text-14 text-ink-2">{t('steps.content_text')}</p>
      </header>
      <ChooseContent source={source} signedIn={{ trial, name }} connector={connector} />
    </>
  )
}
