import { notificationKindLabels } from '@benchwatch/contract/notification-vocabulary'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatEventTime } from '../../lib/dates.ts'
import { eventName } from '../../lib/event-name.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { Card } from '../../ui/card.tsx'
import { Chevron } from '../../ui/chevron.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ZonedTime } from '../../ui/zoned-time.tsx'
import { detailsQuery } from '../service-events/service-events.api.ts'
import { SeverityBadge } from '../service-events/severity-badge.tsx'
import styles from './explanation-page.module.css'
import { explanationQuery } from './notifications.api.ts'
import { PersonChoice } from './person-choice.tsx'
import { useNameOf, useWhom, type Whom } from './use-whom.ts'
import { VerdictCard, WaitingVerdict } from './verdict-card.tsx'

/**
 * Why somebody was told of an event, or was not. `eventId`: its digits. `userId`: whom the address names, null for
 * oneself; `onPerson` names another one there.
 */
export function ExplanationPage(props: {
  eventId: string
  userId: string | null
  onPerson: (userId: string | null) => void
}) {
  const event = useQuery(detailsQuery(props.eventId))
  const whom = useWhom(props.userId)
  const knownName = useNameOf(whom.state === 'known' ? whom.userId : null)
  const explanation = useQuery({
    ...explanationQuery(props.eventId, whom.state === 'known' ? whom.userId : null),
    enabled: whom.state === 'known',
  })
  const answered = explanation.data
  const isOneself = whom.state !== 'known' || whom.userId === null
  const name = isOneself ? null : (knownName ?? answered?.userName ?? null)
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
        title={isOneself ? 'Why did I (not) get this?' : `Why did ${name ?? 'this person'} (not) get this?`}
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
            {whom.state === 'known' && whom.mayChoose && (
              <PersonChoice userId={whom.userId} name={name} onChoose={props.onPerson} />
            )}
          </section>
          <Answer whom={whom} onOneself={() => props.onPerson(null)} explanation={explanation}>
            {answered && (
              <>
                <div className={styles.verdicts}>
                  {answered.explanations.map((one) => (
                    <VerdictCard key={`${answered.userId} ${one.kind}`} explanation={one} name={name} />
                  ))}
                </div>
                <p className={styles.note}>
                  Looked at with the profile, data scope and flags as they are now.{' '}
                  {isOneself ? (
                    <>
                      What you are told of is set in your <Link to="/settings">settings</Link>;{' '}
                      <Link to="/notifications">what you were told</Link> is listed apart.
                    </>
                  ) : (
                    <Link to="/notifications" search={{ user: answered.userId }}>
                      What {name ?? 'this person'} was told
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

/** What is asked about, in one line: how bad, which, what, on which instrument, and when. */
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

/** The verdicts, or why there are none. */
function Answer(props: {
  whom: Whom
  onOneself: () => void
  explanation: { error: Error | null; data: unknown; refetch: () => unknown }
  children: ReactNode
}) {
  const { whom, explanation, children } = props
  const own = { label: 'Ask about yourself', onClick: props.onOneself }
  if (whom.state === 'refused')
    return (
      <Card>
        <EmptyState title="Only about yourself" action={own}>
          Support and administrators may ask why somebody else was told of an event, or was not.
        </EmptyState>
      </Card>
    )
  const failure = whom.state === 'unknown' ? whom.error : explanation.error
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
        <EmptyState title="There is no such user" action={own}>
          The address names somebody who does not exist, or whom you can’t see.
        </EmptyState>
      ) : (
        <ErrorState
          title="Could not get the explanation"
          onRetry={() => void (whom.state === 'unknown' ? whom.retry() : explanation.refetch())}
        >
          {failure.message}
        </ErrorState>
      )}
    </Card>
  )
}
