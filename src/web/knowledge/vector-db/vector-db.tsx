import { Plus } from 'lucide-react'
import { useState } from 'react'
import { LIBRARY_COLLECTION } from '#shared/knowledge/search/search.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { CollectionForm } from './collection-form.tsx'
import { CollectionList } from './collection-list.tsx'
import { ObjectsView } from './objects-view.tsx'
import { StatusCard } from './status-card.tsx'
import { useCollections } from './use-vector-db.ts'

export { useCollections } from './use-vector-db.ts'

/** The vector database: collections at the left, the objects of one at the right. */
export function VectorDb() {
  const { t } = useTranslation('vectors')
  const [chosen, setChosen] = useState(LIBRARY_COLLECTION)
  const [isMaking, setMaking] = useState(false)
  const { data } = useCollections()
  const collections = data?.collections
  const shown = collections?.find(({ name }) => name === chosen) ?? collections?.[0]
  const isForm = isMaking || collections?.length === 0
  const choose = (name: string) => {
    setChosen(name)
    setMaking(false)
  }
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6 pt-4 lg:grid-cols-[280px_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <StatusCard />
        <CollectionList chosen={isForm ? null : (shown?.name ?? null)} onChoose={choose} />
        <Button wide icon={<Plus aria-hidden className="icon" />} onClick={() => setMaking(true)}>
          {t('collections.new')}
        </Button>
      </div>
      <div className="min-w-0">
        {isForm && (
          <CollectionForm
            isFirst={collections?.length === 0}
            onMade={choose}
            onCancel={() => setMaking(false)}
          />
        )}
        {!isForm && shown && <ObjectsView key={shown.name} collection={shown} />}
      </div>
    </div>
  )
}
