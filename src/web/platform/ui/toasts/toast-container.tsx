import { CircleAlert, CircleCheck, CircleX, Info, X } from 'lucide-react'
import { cssTransition, ToastContainer } from 'react-toastify/unstyled'
import { useTranslation } from '../../i18n/i18n.ts'
import { IconButton } from '../icon-button.tsx'
import './toast-container.css'

const calm = cssTransition({ enter: 'toast-in', exit: 'toast-out', collapse: false })
const icons = { success: CircleCheck, info: Info, warning: CircleAlert, error: CircleX, default: Info }

/** Top right, one at a time; a click dismisses, hover and focus hold it. */
export default function Toasts() {
  const { t } = useTranslation('common')
  return (
    <ToastContainer
      aria-label={t('toast.region')}
      position="top-right"
      limit={1}
      closeOnClick
      pauseOnHover
      pauseOnFocusLoss
      draggable={false}
      transition={calm}
      icon={({ type }) => {
        const Icon = icons[type]
        return <Icon aria-hidden className="icon" />
      }}
      closeButton={({ closeToast }) => (
        <IconButton name={t('toast.dismiss')} size="xs" onClick={closeToast}>
          <X aria-hidden className="icon-14" />
        </IconButton>
      )}
    />
  )
}
