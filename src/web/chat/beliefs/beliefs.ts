export { BeliefView } from './belief-view.tsx'
