export { CreateToolView, EditToolView } from './own/form-view.tsx'
export { OpenApiView } from './own/openapi/openapi-view.tsx'
