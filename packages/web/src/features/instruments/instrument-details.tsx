import type { InstrumentWithEvents } from '@benchwatch/contract/instruments'
import { useQuery } from '@tanstack/react-query'
import { formatClock } from '../../lib/dates.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { DetailsHead, OutdatedNote } from '../../ui/details-head.tsx'
import styles from '../../ui/details-page.module.css'
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useFailureToast } from '../../ui/use-failure-toast.ts'
import { RuntimeCard } from '../usage/runtime-card.tsx'
import { UsageCard } from '../usage/usage-card.tsx'
import { featuresQuery } from '../users/users.api.ts'
import { ConnectedInstruments } from './connected-instruments.tsx'
import { InstrumentDetailsBar } from './instrument-details-bar.tsx'
import { InstrumentContacts } from './instrument-details-contacts.tsx'
import { useInstrumentDetailsKeys } from './instrument-details-keys.ts'
import { InstrumentShortcuts } from './instrument-details-shortcuts.tsx'
import { InstrumentDetailsTabs, type InstrumentTab } from './instrument-details-tabs.tsx'
import { InstrumentFacts, InstrumentPlace } from './instrument-facts.tsx'
import { QualifiedBadge, StatusMark } from './instrument-head.tsx'
import { InstrumentTimeline } from './instrument-timeline.tsx'
import { DETAILS_POLL_MS, instrumentQuery } from './instruments.api.ts'
import { SoftwareCard } from './software-card.tsx'

/** One instrument, whole; closing leads back to the list at `listAddress`. Document 2 section 2. */
export function InstrumentDetails(props: {
  /** Id or installed product id, as it stands in the address. */
  instrumentId: string
  listAddress: Record<string, string>
  tab: InstrumentTab
  onTab: (tab: InstrumentTab) => void
}) {
  const details = useQuery({ ...instrumentQuery(props.instrumentId), refetchInterval: DETAILS_POLL_MS })
  const instrument = details.data
  const list = { to: '/instruments', search: props.listAddress, name: 'Instruments' } as const
  const name = instrument?.instrumentInstalledProductId ?? props.instrumentId
  const head = { name, list, shortcuts: <InstrumentShortcuts /> }
  useInstrumentDetailsKeys(props.listAddress)
  // Where it is shown already, a refresh that fails every ten seconds is told by the note beside its name.
  const isMissing = details.isError && instrument === undefined && !isNotFound(details.error)
  useFailureToast({ ...details, isError: isMissing }, 'Could not get instrument')

  if (instrument !== undefined && !isNotFound(details.error)) {
    const asOf = details.isError ? details.dataUpdatedAt : null
    const retry = () => void details.refetch()
    const note = asOf !== null && <OutdatedNote what="instrument" time={formatClock(asOf)} onRetry={retry} />
    return (
      <div className={styles.page}>
        <DetailsHead
          {...head}
          note={note}
          mark={<StatusMark instrument={instrument} asOf={asOf} />}
          badge={instrument.qualifiedSystem && <QualifiedBadge />}
        >
          <bdi>{instrument.instrumentProductDescription}</bdi>
        </DetailsHead>
        <InstrumentDetailsBar instrument={instrument} />
        <InstrumentTimeline instrument={instrument} />
        <Cards instrument={instrument} tab={props.tab} onTab={props.onTab} />
      </div>
    )
  }
  if (details.isPending)
    return (
      <div className={styles.page} aria-busy="true">
        <DetailsHead {...head}>
          <span role="status" className={styles.loading}>
            Loading instrument…
          </span>
        </DetailsHead>
        <DetailsSkeleton
          wide={13}
          columns={[
            [5, 12, 11],
            [6, 10, 6, 5],
          ]}
        />
      </div>
    )
  return (
    <div className={styles.page}>
      <DetailsHead {...head}>
        <span>
          Instrument <bdi>{props.instrumentId}</bdi>
        </span>
      </DetailsHead>
      {isNotFound(details.error) ? (
        <ErrorState title="Instrument could not be found.">
          {instrument !== undefined
            ? 'It was removed, or moved to a customer that you can’t see, while it was open here.'
            : 'It may have been removed, or it belongs to a customer that you can’t see. Check its id in the address.'}
        </ErrorState>
      ) : (
        <ErrorState title="Could not get instrument" onRetry={() => void details.refetch()}>
          {details.error?.message}
        </ErrorState>
      )}
    </div>
  )
}

/**
 * What is wrong with it and how it was used beside what it is: about equally high columns, in an order that reads on a phone,
 * too, also for whoever sees no usage and no run time. What it runs is wanted least and has the whole width below them.
 */
function Cards(props: { instrument: InstrumentWithEvents; tab: InstrumentTab; onTab: (tab: InstrumentTab) => void }) {
  const { instrument } = props
  const features = useQuery(featuresQuery()).data
  const isMeasured = features?.some((key) => key.startsWith('FETCH_INSTRUMENT_')) ?? true
  const whereabouts = (
    <>
      <InstrumentPlace instrument={instrument} />
      <ConnectedInstruments instrument={instrument} />
    </>
  )
  return (
    <>
      <div className={styles.columns}>
        <div className={styles.column}>
          <InstrumentDetailsTabs instrument={instrument} tab={props.tab} onTab={props.onTab} />
          <UsageCard instrument={instrument} />
          <RuntimeCard instrument={instrument} />
          {!isMeasured && whereabouts}
        </div>
        <div className={styles.column}>
          <InstrumentFacts instrument={instrument} />
          <InstrumentContacts instrument={instrument} />
          {isMeasured && whereabouts}
        </div>
      </div>
      <SoftwareCard instrument={instrument} />
    </>
  )
}
