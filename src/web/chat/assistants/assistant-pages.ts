export { DetailsView } from './details/details-view.tsx'
export { CreateView, EditView } from './form/form-view.tsx'
export { AssistantsView } from './list/assistants-view.tsx'
