export { ProjectView } from './page/project-view.tsx'
