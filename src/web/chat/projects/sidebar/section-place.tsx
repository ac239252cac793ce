import { lazy, Suspense } from 'react'
import { loadTexts } from '../../../platform/i18n/i18n.ts'
import { readKept } from '../../../platform/lib/kept/kept.ts'
import { HEIGHT_KEY } from './section-height.ts'

/** Height of the section without projects, in pixels. */
const EMPTY_PX = 47

const Section = lazy(async () => {
  const [file] = await Promise.all([import('./projects-section.tsx'), loadTexts('projects')])
  return { default: file.ProjectsSection }
})

/** The projects in the sidebar. Until their code is loaded, their last height is reserved. */
export function ProjectsPlace() {
  const height = Number(readKept(HEIGHT_KEY)) || EMPTY_PX
  return (
    <Suspense fallback={<div className="max-h-[45%] flex-none border-b border-line" style={{ height }} />}>
      <Section />
    </Suspense>
  )
}
