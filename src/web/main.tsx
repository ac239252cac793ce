import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startTexts } from './platform/i18n/i18n.ts'
import { quietTransitions } from './platform/lib/early/view-transitions.ts'
import { getToken, writeStreamCookie } from './platform/lib/me/token.ts'
import { followTheme } from './platform/lib/theme.ts'
import { takeAuthTokenOfPage } from './platform/lib/visit/auth-token.ts'
import { createAppRouter } from './routes.tsx'
import './styles.css'
import { ToastHost } from './platform/ui/toasts/toast-host.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

takeAuthTokenOfPage()
followTheme()
quietTransitions()
const token = getToken()
if (token) writeStreamCookie(token)
await startTexts()

createRoot(root).render(
  <StrictMode>
    <RouterProvider router={createAppRouter()} />
    <ToastHost />
  </StrictMode>,
)
