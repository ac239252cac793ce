import * as z from 'zod/mini'

/** Colours of a project in lists. */
export const ProjectColour = z.enum(['blue', 'green', 'amber', 'red', 'grey'])
export type ProjectColour = z.infer<typeof ProjectColour>

/** Icons of a project in lists. */
export const ProjectIcon = z.enum([
  'folder',
  'briefcase',
  'chart',
  'scale',
  'building',
  'flask',
  'book',
  'users',
])
export type ProjectIcon = z.infer<typeof ProjectIcon>
