import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Notice, text } from '../../platform/primitives.ts'

const Token = z.object({ token: text(1, 500) })

/** One-click unsubscription of RFC 8058: mail programs post a form here, whose content does not matter. */
export const unsubscribeNotifications = route({
  method: 'POST',
  path: '/notification-mails/unsubscribe',
  access: 'public',
  fails: ['token_invalid'],
  form: 'or_multipart',
  summary: 'Stop mails about one kind of notification, with the token of a mail',
  query: Token,
  answer: Notice,
})

/** Opens the page that asks before it unsubscribes, because programs that check links open them too. */
export const openNotificationsUnsubscribePage = route({
  method: 'GET',
  path: '/notification-mails/unsubscribe',
  access: 'public',
  summary: 'Go to the page that stops mails about one kind of notification',
  status: 302,
  query: Token,
})
