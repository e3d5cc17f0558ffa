import type { SupportEmail } from '@benchwatch/contract/support-emails'
import type { InstrumentType } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { formatInstrumentDate, formatTooltipTime } from '../../lib/time/dates.ts'
import { RetryLine } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import styles from './support-email-list.module.css'
import { supportEmailsQuery } from './support-emails.api.ts'

/**
 * Lists the errors for which the contact of an instrument gets automatic e-mails, and those the contact unsubscribed
 * from: document 2 section 4.
 */
export function SupportEmailList({
  instrument,
}: {
  instrument: { instrumentInstalledProductId: string; instrumentType: InstrumentType }
}) {
  const emails = useQuery(supportEmailsQuery(instrument))
  if (emails.data === undefined && emails.isError)
    return (
      <div className={styles.message}>
        <RetryLine onRetry={() => void emails.refetch()}>Could not get automated support emails.</RetryLine>
      </div>
    )
  if (emails.data?.length === 0)
    return <p className={styles.message}>No automated support emails exist for instruments of this type.</p>
  return (
    <div className={styles.frame} aria-busy={emails.data === undefined}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.component}>
              Component
            </th>
            <th scope="col" className={styles.error}>
              Error
            </th>
            <th scope="col">Subject</th>
            <th scope="col" className={styles.state}>
              E-mail
            </th>
          </tr>
        </thead>
        <tbody>
          {emails.data?.map((email) => (
            <EmailRow key={`${email.componentName} ${email.errorCode}`} email={email} />
          ))}
          {emails.data === undefined && <WaitingRows />}
        </tbody>
      </table>
    </div>
  )
}

function EmailRow({ email }: { email: SupportEmail }) {
  return (
    <tr data-row>
      <td className={styles.component} dir="auto">
        {email.componentName}
      </td>
      <td className={styles.error}>{email.errorCode}</td>
      <td className={styles.subject} dir="auto">
        {email.subject}
      </td>
      <td className={styles.state}>{email.unsubscribed ? <Off email={email} /> : <StateIcon isOn />}</td>
    </tr>
  )
}

/** Shows 'Off', since when and by whom; marked if it is for 30 days. */
function Off({ email: { unsubscriptionDate, contactEmail, expires } }: { email: SupportEmail }) {
  return (
    <>
      <StateIcon isOn={false} />
      {expires !== null && (
        <span className={styles.mark} title={`E-mails start again on ${formatTooltipTime(expires)}`}>
          30 days
        </span>
      )}
      <span
        className={styles.since}
        title={unsubscriptionDate === null ? undefined : formatTooltipTime(unsubscriptionDate)}
      >
        Unsubscribed {formatInstrumentDate(unsubscriptionDate)} by <bdi>{contactEmail}</bdi>
      </span>
      {expires !== null && <span className={styles.since}>On again from {formatInstrumentDate(expires)}</span>}
    </>
  )
}

function StateIcon({ isOn }: { isOn: boolean }) {
  return (
    <span className={styles.sign} data-on={isOn}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path
          d={isOn ? 'M2 6.4 4.8 9.2 10 3' : 'M2.6 2.6l6.8 6.8M9.4 2.6 2.6 9.4'}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {isOn ? 'On' : 'Off'}
    </span>
  )
}

function WaitingRows() {
  return [64, 78, 52, 70].map((width, index) => (
    <tr key={width}>
      <td colSpan={4} className={styles.bone}>
        {index === 0 && (
          <span role="status" className={styles.hidden}>
            Loading automated support emails…
          </span>
        )}
        <SkeletonLine width={`${width}%`} />
      </td>
    </tr>
  ))
}
