import type { ServiceEvent } from '@benchwatch/contract/events'
import type { Explanation } from '@benchwatch/contract/notifications'
import { notificationKindLabels } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isNotFound } from '../../lib/http.ts'
import { eventName } from '../../lib/screen-name.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Breadcrumb, PageHeader } from '../../ui/layout/page-frame.tsx'
import { Chevron } from '../../ui/text/chevron.tsx'
import { EmptyState, ErrorState } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { ZonedTime } from '../../ui/time/zoned-time.tsx'
import { detailsQuery } from '../events/events.api.ts'
import { SeverityBadge } from '../events/severity-badge.tsx'
import { CheckTable } from './check-table.tsx'
import styles from './explanation-page.module.css'
import { NotificationLines } from './notification-state.tsx'
import { explanationQuery } from './notifications.api.ts'
import { type ChosenUser, PersonChoice, useChosenUser, useUserName } from './person-choice.tsx'
import { checksIn, deciderLabel, type Outcome, verdictOf } from './verdict.ts'

const shapes: Record<Outcome, ReactNode> = {
  notified: <path d="M5.5 10.4 8.6 13.5 14.6 6.8" />,
  coming: <path d="M10 5.4V10l3 2" />,
  'not-notified': <path d="M6.6 6.6l6.8 6.8M13.4 6.6l-6.8 6.8" />,
  lost: <path d="M10 5.6v5.2M10 13.9v.2" />,
}

/**
 * Explains why a user was or was not notified of an event. `eventId` is the event's digits, `userId` is from the
 * address and null for the viewer; `onPerson` changes it.
 */
export function ExplanationPage(props: {
  eventId: string
  userId: string | null
  onPerson: (userId: string | null) => void
}) {
  const event = useQuery(detailsQuery(props.eventId))
  const chosen = useChosenUser(props.userId)
  const knownName = useUserName(chosen.state === 'known' ? chosen.userId : null)
  const explanation = useQuery({
    ...explanationQuery(props.eventId, chosen.state === 'known' ? chosen.userId : null),
    enabled: chosen.state === 'known',
  })
  const answered = explanation.data
  const isOwn = chosen.state !== 'known' || chosen.userId === null
  const name = isOwn ? null : (knownName ?? answered?.userName ?? null)
  const isMissing = isNotFound(event.error)

  return (
    <div className={styles.page}>
      <PageHeader
        crumbs={
          <Breadcrumb
            link={
              <Link to="/events/$eventId" params={{ eventId: props.eventId }} className={styles.back}>
                <Chevron to="left" /> {eventName(props)}
              </Link>
            }
            current="Notifications"
          />
        }
        title={isOwn ? 'Why did I (not) get this?' : `Why did ${name ?? 'this user'} (not) get this?`}
      />
      {isMissing ? (
        <Card>
          <ErrorState title="Event could not be found.">
            It may have been deleted, or it belongs to a customer that you can’t see. Check the number in the address.
          </ErrorState>
        </Card>
      ) : (
        <>
          <section className={styles.event} aria-label="Event">
            <EventLine event={event.data} />
            {chosen.state === 'known' && chosen.mayChoose && (
              <PersonChoice userId={chosen.userId} name={name} onChoose={props.onPerson} />
            )}
          </section>
          <Answer chosen={chosen} onOwn={() => props.onPerson(null)} explanation={explanation}>
            {answered && (
              <>
                <div className={styles.verdicts}>
                  {answered.explanations.map((one) => (
                    <VerdictCard key={`${answered.userId} ${one.kind}`} explanation={one} name={name} />
                  ))}
                </div>
                <p className={styles.note}>
                  Checked with the current profile, data scope and flags.{' '}
                  {isOwn ? (
                    <>
                      Choose your notifications in the <Link to="/settings">settings</Link>. See also your{' '}
                      <Link to="/notifications">notification history</Link>.
                    </>
                  ) : (
                    <Link to="/notifications" search={{ user: answered.userId }}>
                      Notification history of {name ?? 'this user'}
                    </Link>
                  )}
                </p>
              </>
            )}
          </Answer>
        </>
      )}
    </div>
  )
}

/** Summarises the event: severity, number, description, instrument and time. */
function EventLine({ event }: { event: ServiceEvent | undefined }) {
  if (event === undefined) return <p className={styles.loading}>Loading event…</p>
  const instrument = event.instrumentProductDescription ?? event.gatewayName
  return (
    <div className={styles.line}>
      <p className={styles.what}>
        <span className={styles.severity}>
          <SeverityBadge severity={event.severity} />
        </span>
        <Link to="/events/$eventId" params={{ eventId: event.eventId }} className={styles.id}>
          {eventName(event)}
        </Link>
        <span className={styles.description} dir="auto" title={event.description}>
          {event.description}
        </span>
      </p>
      <p className={styles.where}>
        {instrument !== null && <bdi>{instrument}</bdi>}
        {instrument !== null && ' · '}
        {event.instrumentInstalledProductId} · <bdi>{event.enterpriseName}</bdi> ·{' '}
        <ZonedTime at={event.createdAt} siteZone={event.siteTimeZone}>
          {formatEventTime(event.createdAt)}
        </ZonedTime>
      </p>
    </div>
  )
}

/** Shows the verdicts, or why there are none. */
function Answer(props: {
  chosen: ChosenUser
  onOwn: () => void
  explanation: { error: Error | null; data: unknown; refetch: () => unknown }
  children: ReactNode
}) {
  const { chosen, explanation, children } = props
  const own = { label: 'Show your own', onClick: props.onOwn }
  if (chosen.state === 'refused')
    return (
      <Card>
        <EmptyState title="You can see only your own" action={own}>
          Only support and administrators can see why other users were or were not notified.
        </EmptyState>
      </Card>
    )
  const failure = chosen.state === 'unknown' ? chosen.error : explanation.error
  if (children) return children
  if (failure === null)
    return (
      <div className={styles.verdicts} role="status" aria-label="Loading explanation…">
        <WaitingVerdict title={notificationKindLabels.new_event_notification} checks={16} />
        <WaitingVerdict title={notificationKindLabels.assign_me_notification} checks={18} />
      </div>
    )
  return (
    <Card>
      {isNotFound(failure) ? (
        <EmptyState title="User not found" action={own}>
          The user in the address does not exist, or you can’t see them.
        </EmptyState>
      ) : (
        <ErrorState
          title="Could not get the explanation"
          onRetry={() => void (chosen.state === 'unknown' ? chosen.retry() : explanation.refetch())}
        >
          {failure.message}
        </ErrorState>
      )}
    </Card>
  )
}

/** The verdict for one profile: result, deciding check, messages and all checks. */
function VerdictCard({ explanation, name }: { explanation: Explanation; name: string | null }) {
  const { outcome, title, sinceThen } = verdictOf(explanation, name)
  const decider = deciderLabel(explanation)
  return (
    <Card title={notificationKindLabels[explanation.kind]}>
      <div className={styles.verdict} data-outcome={outcome}>
        <Mark outcome={outcome} />
        <div className={styles.words}>
          <p className={styles.title}>
            <bdi>{title}</bdi>
          </p>
          <p dir="auto">{explanation.sentence}</p>
          {sinceThen !== null && <p className={styles.since}>{sinceThen}</p>}
          {decider !== null && (
            <p className={styles.decided}>
              Decided by <strong>{decider}</strong>
            </p>
          )}
        </div>
      </div>
      {explanation.notifications.length > 0 && (
        <>
          <h3 className={styles.part}>Messages</h3>
          <NotificationLines notifications={explanation.notifications} showsWho={false} showsKind={false} />
        </>
      )}
      <h3 className={styles.part}>Checks</h3>
      <CheckTable label={`Checks: ${notificationKindLabels[explanation.kind]}`} checks={checksIn(explanation)} />
    </Card>
  )
}

/** An icon for each outcome. The text beside it says the same. */
function Mark({ outcome }: { outcome: Outcome }) {
  return (
    <svg className={styles.mark} viewBox="0 0 20 20" width="28" height="28" aria-hidden="true">
      <circle cx="10" cy="10" r="9.2" fill="currentColor" />
      <g fill="none" stroke="var(--bw-panel)" strokeWidth="1.9" strokeLinecap="round" strokeLinejoin="round">
        {shapes[outcome]}
      </g>
    </svg>
  )
}

/** The loading state, as high as the verdict. `checks` is the number of rows of its table. */
function WaitingVerdict({ title, checks }: { title: string; checks: number }) {
  return (
    <div aria-hidden="true">
      <Card title={title}>
        <div className={styles.verdict}>
          <div className={styles.words}>
            <p className={styles.title}>
              <SkeletonLine width="150px" />
            </p>
            <p>
              <SkeletonLine width="280px" />
            </p>
          </div>
        </div>
        {Array.from({ length: checks + 1 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are all the same.
          <div key={index} className={styles.bone}>
            <SkeletonLine width={`${88 - ((index * 17) % 50)}%`} />
          </div>
        ))}
      </Card>
    </div>
  )
}
