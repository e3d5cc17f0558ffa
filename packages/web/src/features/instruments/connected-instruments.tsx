import type { Instrument } from '@benchwatch/contract/instruments'
import { useQuery } from '@tanstack/react-query'
import { agePhrase } from '../../lib/age.ts'
import { formatInstrumentTime } from '../../lib/dates.ts'
import { Card } from '../../ui/card.tsx'
import { Fact, FactList, Named } from '../../ui/fact.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { useNow } from '../../ui/use-now.ts'
import { ZonedTime } from '../../ui/zoned-time.tsx'
import { connectedInstrumentsAddress } from '../connections/connected-instruments.ts'
import { edgeGatewayQuery } from '../connections/connections.api.ts'
import { isLost } from '../connections/monitoring.ts'
import { MonitoringNote } from '../connections/monitoring-note.tsx'
import { OrcStatusBadge } from '../connections/orc-status-badge.tsx'
import styles from './connected-instruments.module.css'

/** A gateway tells every 30 s that it is there, so an older answer would make a living one look silent. */
const SIGN_OF_LIFE_MS = 30_000

/** How an instrument is connected: its gateway, when that was heard last, and what else is behind it. */
export function ConnectedInstruments({ instrument }: { instrument: Instrument }) {
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
          <Fact name="Behind it">{data && <Others installedProductIds={data.instrumentIpids} />}</Fact>
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
