import { createRootRoute, createRouter } from '@tanstack/react-router'
import { Loader } from './ui/loader.tsx'
export const router = createRouter({ routeTree: createRootRoute({ component: () => <Loader text="" /> }) })
