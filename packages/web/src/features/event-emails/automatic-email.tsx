import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useQuery } from '@tanstack/react-query'
import { useFailureToast } from '../../ui/use-failure-toast.ts'
import { featuresQuery } from '../users/users.api.ts'
import { automaticEmailSubjectQuery, type WarningName } from './automatic-email.api.ts'
import styles from './email-list.module.css'

/** Of an event about which nothing went out by itself: the subject of the mail that would, where there is a template. */
export function AutomaticEmail({ event }: { event: ServiceEvent }) {
  const features = useQuery(featuresQuery())
  const { instrumentType, eisCode, errorCode } = event
  // Gateways have no templates.
  if (instrumentType === null || features.data?.includes('AUTO_EMAIL') !== true) return null
  if (event.reasonClosed === 'Customer unsubscribed')
    return (
      <div className={styles.automatic}>
        <p className={styles.automaticHead}>
          No email support message: the customer has unsubscribed from this warning.
        </p>
      </div>
    )
  return <Subject error={{ instrumentType, eisCode, errorCode }} />
}

function Subject({ error }: { error: WarningName }) {
  const subject = useQuery(automaticEmailSubjectQuery(error))
  useFailureToast(subject, 'Could not get event automatic email subject')
  if (subject.data === undefined || subject.data === null) return null
  return (
    <div className={styles.automatic}>
      <p className={styles.automaticHead}>Email support message for this error, not sent</p>
      <p className={styles.automaticSubject} dir="auto">
        {subject.data}
      </p>
    </div>
  )
}
