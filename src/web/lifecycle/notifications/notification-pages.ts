export { MailAnswerPage } from './mail-answer-page.tsx'
export { NotificationsView } from './notifications-view.tsx'
export { StopMailsPage } from './stop-mails-page.tsx'
