import { Copy } from 'lucide-react'
import { useState } from 'react'
import type { ProjectDetails } from '#shared/chat/projects/projects.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { DuplicateDialog } from './duplicate-dialog.tsx'

/** Lets members without settings make a project of their own from this one. */
export function DuplicateButton({ project }: { project: ProjectDetails }) {
  const { t } = useTranslation('projects')
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <Button size="sm" icon={<Copy aria-hidden className="icon-14" />} onClick={() => setOpen(true)}>
        {t('duplicate.button')}
      </Button>
      {isOpen && <DuplicateDialog project={project} onClose={() => setOpen(false)} />}
    </div>
  )
}
