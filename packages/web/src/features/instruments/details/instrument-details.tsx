import type { Instrument, InstrumentWithEvents } from '@benchwatch/contract/instruments'
import { IconRosetteDiscountCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode } from 'react'
import { isNotFound } from '../../../lib/http.ts'
import { formatClock, formatInstrumentTime } from '../../../lib/time/dates.ts'
import { agePhrase } from '../../../lib/time/duration.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { DetailsHead, OutdatedNote } from '../../../ui/layout/details-head.tsx'
import styles from '../../../ui/layout/details-page.module.css'
import { ShortcutButton } from '../../../ui/overlay/shortcut-sheet.tsx'
import { useFailureToast } from '../../../ui/overlay/toasts.ts'
import { useShortcuts } from '../../../ui/overlay/use-shortcuts.ts'
import { EmailLink, PhoneLink } from '../../../ui/text/contact-line.tsx'
import { Fact, FactList, Named } from '../../../ui/text/fact.tsx'
import { ErrorState, RetryLine } from '../../../ui/text/notice.tsx'
import { DetailsSkeleton } from '../../../ui/text/skeleton.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { connectedInstrumentsAddress, edgeGatewayQuery } from '../../connections/connections.api.ts'
import { InstrumentStatusDot } from '../../connections/instrument-status-dot.tsx'
import { isLost, isMonitored, MonitoringNote, monitoringUnavailable } from '../../connections/monitoring-note.tsx'
import { OrcStatusBadge } from '../../connections/orc-status-badge.tsx'
import { RuntimeCard } from '../../usage/runtime/runtime-card.tsx'
import { UsageCard } from '../../usage/usage-card.tsx'
import { featuresQuery } from '../../users/users.api.ts'
import { DETAILS_POLL_MS, instrumentQuery } from '../instruments.api.ts'
import { InstrumentTimeline } from '../timeline/instrument-timeline.tsx'
import { InstrumentDetailsBar } from './instrument-details-bar.tsx'
import { InstrumentDetailsTabs, type InstrumentTab } from './instrument-details-tabs.tsx'
import { ContractFacts, InstrumentFacts, InstrumentPlace } from './instrument-facts.tsx'
import { SoftwareCard } from './software-card.tsx'

/** A gateway reports every 30 s. A longer refresh interval would make a connected gateway look silent. */
const SIGN_OF_LIFE_MS = 30_000

const Sheet = lazy(() =>
  import('./instrument-details-sheet.tsx').then((file) => ({ default: file.InstrumentDetailsSheet })),
)

/** Shows one instrument. Closing leads back to the list at `listAddress`. Document 2 section 2. */
export function InstrumentDetails(props: {
  /** Id or installed product id, as in the address. */
  instrumentId: string
  listAddress: Record<string, string>
  tab: InstrumentTab
  onTab: (tab: InstrumentTab) => void
  /** Further actions at the end of the bar. */
  more?: (instrument: InstrumentWithEvents) => ReactNode
}) {
  const details = useQuery({ ...instrumentQuery(props.instrumentId), refetchInterval: DETAILS_POLL_MS })
  const instrument = details.data
  const list = { to: '/instruments', search: props.listAddress, name: 'Instruments' } as const
  const name = instrument?.instrumentInstalledProductId ?? props.instrumentId
  const head = { name, list, shortcuts: <InstrumentShortcuts /> }
  useInstrumentDetailsKeys(props.listAddress)
  // If the instrument is on screen already, the note beside its name reports refreshes that fail every ten seconds.
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
        <InstrumentDetailsBar instrument={instrument} more={props.more?.(instrument)} />
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
            ? 'It was removed or moved to a customer you have no access to while this page was open.'
            : 'It may have been removed, or you have no access to its customer. Check the ID in the address.'}
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
 * Two columns of about equal height: events and usage in one, facts in the other. The order also reads well on a phone
 * and for users who see no usage or run time. Software, the least needed card, takes the full width below.
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

/** Binds the keys of an instrument page. `instrument-details-sheet.tsx` lists them for users. */
function useInstrumentDetailsKeys(listAddress: Record<string, string>): void {
  const navigate = useNavigate()
  const back = () => void navigate({ to: '/instruments', search: listAddress })
  useShortcuts({ u: back, Escape: back })
}

function InstrumentShortcuts() {
  return <ShortcutButton size={30} sheet={(close) => <Sheet onClose={close} />} />
}

/**
 * Shows the instrument's status before its name. `asOf`: time of the last confirmation (epoch milliseconds) if it is
 * outdated.
 */
function StatusMark({ instrument, asOf }: { instrument: Instrument; asOf: number | null }) {
  const { instrumentStatus, orcStatus } = instrument
  const isSeen = isMonitored(orcStatus)
  return (
    <span className={styles.status} data-outdated={asOf !== null || !isSeen || undefined}>
      <InstrumentStatusDot status={instrumentStatus} asOf={asOf} orcStatus={orcStatus} />
      {/* The dot's accessible name says it already. */}
      <span aria-hidden="true">{isSeen ? instrumentStatus : monitoringUnavailable(instrumentStatus)}</span>
    </span>
  )
}

function QualifiedBadge() {
  return (
    <span className={styles.qualified} title="Qualified system: changes are controlled and documented">
      <IconRosetteDiscountCheck size={15} stroke={1.7} aria-hidden="true" />
      Qualified
    </span>
  )
}

/** Shows customer, contract and contacts. */
function InstrumentContacts({ instrument }: { instrument: Instrument }) {
  const { instrumentCountry } = instrument
  return (
    <Card title="Customer">
      <div className={styles.groups}>
        <FactList>
          <Fact name="Customer">
            <Named>{instrument.instrumentCustomer}</Named>
          </Fact>
          <ContractFacts instrument={instrument} />
        </FactList>
        <FactList>
          <Fact name="Contact">
            <Named>{instrument.instrumentContactName}</Named>
          </Fact>
          <Fact name="Phone">
            <PhoneLink number={instrument.instrumentContactPhone} country={instrumentCountry} />
          </Fact>
          <Fact name="Mobile">
            <PhoneLink number={instrument.instrumentContactMobile} country={instrumentCountry} />
          </Fact>
          <Fact name="E-mail">
            <EmailLink address={instrument.instrumentContactEmail} />
          </Fact>
        </FactList>
        <FactList>
          <Fact name="IT contact">
            <Named>{instrument.itContactName}</Named>
          </Fact>
          <Fact name="IT e-mail">
            <EmailLink address={instrument.itContactEmail} />
          </Fact>
        </FactList>
      </div>
    </Card>
  )
}

/** Shows the gateway, when it last reported, and the other instruments connected to it. */
function ConnectedInstruments({ instrument }: { instrument: Instrument }) {
  const { orcStatus, unknownAt, instrumentTimeZone } = instrument
  const now = useNow()
  return (
    <Card title="Connection">
      <FactList>
        <Fact name="ORC status">
          <OrcStatusBadge status={orcStatus} unknownAt={unknownAt} />
          <MonitoringNote orcStatus={orcStatus} status={instrument.instrumentStatus} />
        </Fact>
        {isLost(orcStatus) && unknownAt !== null && (
          <Fact name="Lost since">
            <ZonedTime at={unknownAt} siteZone={instrumentTimeZone}>
              {formatInstrumentTime(unknownAt)}
            </ZonedTime>{' '}
            <span className={styles.quiet}>{agePhrase(unknownAt, now)}</span>
          </Fact>
        )}
        {instrument.gatewayName === null ? (
          <Fact name="Gateway">{null}</Fact>
        ) : (
          <GatewayFacts instrument={instrument} name={instrument.gatewayName} />
        )}
      </FactList>
    </Card>
  )
}

function GatewayFacts({ instrument, name }: { instrument: Instrument; name: string }) {
  const now = useNow()
  const gateway = useQuery({
    ...edgeGatewayQuery(instrument.instrumentInstalledProductId),
    staleTime: SIGN_OF_LIFE_MS,
    refetchInterval: SIGN_OF_LIFE_MS,
  })
  const { data } = gateway
  return (
    <>
      <Fact name="Gateway">
        <Named>{data?.name ?? name}</Named>
      </Fact>
      {data === undefined && gateway.isError ? (
        <Fact name="Last seen">
          <RetryLine onRetry={() => void gateway.refetch()}>Could not get gateway.</RetryLine>
        </Fact>
      ) : (
        <>
          <Fact name="Last seen">
            {gateway.isPending
              ? 'Loading…'
              : data?.lastSeenAt && (
                  <ZonedTime at={data.lastSeenAt} siteZone={instrument.instrumentTimeZone}>
                    {agePhrase(data.lastSeenAt, now)}
                  </ZonedTime>
                )}
          </Fact>
          <Fact name="Gateway location">
            <Named>{data?.location ?? null}</Named>
          </Fact>
          <Fact name="Connected instruments">{data && <Others installedProductIds={data.instrumentIpids} />}</Fact>
        </>
      )}
    </>
  )
}

function Others({ installedProductIds }: { installedProductIds: readonly string[] }) {
  return (
    <a className={styles.link} href={connectedInstrumentsAddress(installedProductIds)}>
      View connected instruments ({installedProductIds.length.toLocaleString('en')})
    </a>
  )
}
