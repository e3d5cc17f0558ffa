import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { detailsQuery } from '../features/events/events.api.ts'
import { SeverityBadge } from '../features/events/severity-badge.tsx'
import {
  type CompareAddress,
  readCompareAddress,
  writeCompareAddress,
} from '../features/logs/compare/compare-address.ts'
import { CompareLogs } from '../features/logs/compare/compare-logs.tsx'
import { CompareSkeleton } from '../features/logs/compare/compare-skeleton.tsx'
import { ApiError } from '../lib/http.ts'
import { Breadcrumb, PageHeader } from '../ui/layout/page-frame.tsx'
import { Chevron } from '../ui/text/chevron.tsx'
import styles from './logs.module.css'

/** /logs/{installed product id}: two logs of an instrument side by side, around an event if the address names one. */
export function LogsScreen() {
  const { installedProductId = '' } = useParams({ strict: false })
  const address = readCompareAddress(useSearch({ strict: false }))
  const navigate = useNavigate()
  const show = useCallback(
    (next: CompareAddress) =>
      void navigate({
        to: '/logs/$installedProductId',
        params: { installedProductId },
        search: writeCompareAddress(next),
        replace: true,
        resetScroll: false,
      }),
    [navigate, installedProductId],
  )
  // Invalid values leave the address at once; the notice about them stays until another log, time or search is chosen.
  const [corrected, setCorrected] = useState<readonly string[]>([])
  const correct = useEffectEvent(() => {
    setCorrected(address.problems)
    show(address)
  })
  const isWrong = address.problems.length > 0
  useEffect(() => {
    if (isWrong) correct()
  }, [isWrong])
  const details = useQuery({ ...detailsQuery(address.eventId ?? ''), enabled: address.eventId !== null })
  const event = details.data
  const isOther = event !== undefined && event.instrumentInstalledProductId !== installedProductId
  const shown = event === undefined || isOther ? null : event
  const problems = [
    ...(isWrong ? address.problems : corrected),
    ...(isOther ? [`ORC-${event.eventId} is about another instrument, so its time is not marked.`] : []),
    ...(details.isError ? [eventProblem(details.error, address.eventId)] : []),
  ]
  const name = shown?.instrumentDefinedSystemName ?? installedProductId

  return (
    <div className={styles.page}>
      <PageHeader
        crumbs={
          <Breadcrumb
            link={
              shown === null ? (
                <Link
                  to="/instruments/$instrumentId"
                  params={{ instrumentId: installedProductId }}
                  className={styles.back}
                >
                  <Chevron to="left" /> {installedProductId}
                </Link>
              ) : (
                <Link to="/events/$eventId" params={{ eventId: shown.eventId }} className={styles.back}>
                  <Chevron to="left" /> ORC-{shown.eventId}
                </Link>
              )
            }
            current="Logs side by side"
          />
        }
        title={
          <>
            Logs of <bdi>{name}</bdi>
          </>
        }
        note={
          shown !== null && (
            <span className={styles.about}>
              <SeverityBadge severity={shown.severity} />
              <bdi className={styles.description}>{shown.description}</bdi>
              {name !== installedProductId && <span className={styles.product}>{installedProductId}</span>}
            </span>
          )
        }
      />
      {address.eventId !== null && details.isPending ? (
        <div className={styles.opening}>
          <CompareSkeleton />
        </div>
      ) : (
        <CompareLogs
          // Another instrument starts with fresh state.
          key={installedProductId}
          installedProductId={installedProductId}
          address={{ ...address, problems }}
          event={shown && { eventId: shown.eventId, at: Date.parse(shown.logGeneratedAt), severity: shown.severity }}
          siteZone={shown?.siteTimeZone ?? null}
          onAddress={(next) => {
            setCorrected([])
            show(next)
          }}
        />
      )}
    </div>
  )
}

function eventProblem(error: Error, eventId: string | null): string {
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return isGone
    ? `ORC-${eventId} could not be found, so its time is not marked.`
    : `Could not get ORC-${eventId}, so its time is not marked. Reload the page to try again.`
}
