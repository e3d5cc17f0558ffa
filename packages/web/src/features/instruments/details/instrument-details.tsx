import type { Instrument, InstrumentWithEvents } from '@benchwatch/contract/instruments/instruments'
import { Anchor, Badge, Box, Button, Code, Group, Menu, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconFileText, IconListDetails, IconRosetteDiscountCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cityAndCountry } from '../../../lib/address.ts'
import { isNotFound } from '../../../lib/http.ts'
import { formatInstrumentDate, formatInstrumentTime } from '../../../lib/time/dates.ts'
import { agePhrase } from '../../../lib/time/duration.ts'
import { Card, CardColumns } from '../../../ui/layout/card.tsx'
import { BarActions, BarFact, BarFacts, Columns, DetailsBar, DetailsPage } from '../../../ui/layout/details-page.tsx'
import { DataTable } from '../../../ui/list/data-table.tsx'
import { FilterPresses } from '../../../ui/list/filters/filter-value.tsx'
import type { Column } from '../../../ui/list/list-columns.ts'
import { LinkButton } from '../../../ui/overlay/blocked-button.tsx'
import { ShortcutButton, ShortcutSheet } from '../../../ui/overlay/shortcut-sheet.tsx'
import { useFailureToast } from '../../../ui/overlay/toasts.ts'
import { useShortcuts } from '../../../ui/overlay/use-shortcuts.ts'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { EmailLink, PhoneLink } from '../../../ui/text/contact-line.tsx'
import { CopyButton } from '../../../ui/text/copy-button.tsx'
import { Dash, Fact, FactList, Named } from '../../../ui/text/fact.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { connectedInstrumentsAddress, edgeGatewayQuery, linkedClientsQuery } from '../../connections/connections.api.ts'
import { InstrumentStatusDot, LostFor } from '../../connections/instrument-status-dot.tsx'
import { isLost, isMonitored, MonitoringNote, monitoringUnavailable } from '../../connections/monitoring-note.tsx'
import { OrcStatusBadge } from '../../connections/orc-status-badge.tsx'
import { OrcStatusMenu } from '../../maintenance/orc-status-menu.tsx'
import { RuntimeCard } from '../../usage/runtime/runtime-card.tsx'
import { UsageCard } from '../../usage/usage-card.tsx'
import { featuresQuery } from '../../users/users.api.ts'
import { InstrumentValue } from '../instrument-value.ts'
import { DETAILS_POLL_MS, instrumentQuery, putMaintenances } from '../instruments.api.ts'
import { defaultInstrumentSearch, pressValue, writeInstrumentSearch } from '../instruments.search.ts'
import { InstrumentTimeline } from '../timeline/instrument-timeline.tsx'
import { InstrumentDetailsTabs, type InstrumentTab } from './instrument-details-tabs.tsx'
import { instrumentEventsSearch } from './instrument-events-address.ts'
import { ContractFacts, InstrumentFacts, InstrumentPlace } from './instrument-facts.tsx'
import { type NetworkConfiguration, readNetworkConfigurations } from './network-configurations.ts'
import '@mantine/core/styles/Code.layer.css'

/** A gateway reports every 30 s. A longer refresh interval would make a connected gateway look silent. */
const SIGN_OF_LIFE_MS = 30_000

/** Up to this many open events leave room for another card beside the contacts. */
const FEW_EVENTS = 3

/** Keys bound below. */
const shortcuts = [{ title: 'One instrument', shortcuts: [{ keys: ['u', 'Esc'], does: 'Back to the list' }] }] as const

interface InstrumentDetailsProps {
  /** Id or installed product id, as in the address. */
  instrumentId: string
  listAddress: Record<string, string>
  tab: InstrumentTab
  onTab: (tab: InstrumentTab) => void
  /** Further actions at the end of the bar. */
  more?: (instrument: InstrumentWithEvents) => ReactNode
}

/** Shows one instrument. Closing leads back to the list at `listAddress`. Document 2 section 2. */
export function InstrumentDetails(props: InstrumentDetailsProps) {
  const navigate = useNavigate()
  return (
    <FilterPresses
      leadsTo="Instruments"
      onPress={(press) =>
        void navigate({
          to: '/instruments',
          search: writeInstrumentSearch(pressValue({ ...defaultInstrumentSearch, temporaryFilters: true }, press)),
        })
      }
    >
      <InstrumentPage {...props} />
    </FilterPresses>
  )
}

function InstrumentPage(props: InstrumentDetailsProps) {
  const details = useQuery({ ...instrumentQuery(props.instrumentId), refetchInterval: DETAILS_POLL_MS })
  const instrument = details.data
  const features = useQuery(featuresQuery()).data
  const isMeasured = features?.some((key) => key.startsWith('FETCH_INSTRUMENT_')) ?? true
  useInstrumentDetailsKeys(props.listAddress)
  // If the instrument is on screen already, the note beside its name reports refreshes that fail every ten seconds.
  const isMissing = details.isError && instrument === undefined && !isNotFound(details.error)
  useFailureToast({ ...details, isError: isMissing }, 'Could not get instrument')
  return (
    <DetailsPage
      list={{ to: '/instruments', search: props.listAddress, name: 'Instruments' }}
      name={instrument?.instrumentInstalledProductId ?? props.instrumentId}
      shortcuts={<ShortcutButton size={30} sheet={(close) => <ShortcutSheet groups={shortcuts} onClose={close} />} />}
      noun="instrument"
      query={details}
      untitled={
        <>
          Instrument <bdi>{props.instrumentId}</bdi>
        </>
      }
      missing={{
        since: 'It was removed or moved to a customer you have no access to while this page was open.',
        ever: 'It may have been removed, or you have no access to its customer. Check the ID in the address.',
      }}
      skeleton={[
        [[8], [10]],
        13,
        [
          [12, 11],
          [6, 6, 5],
        ],
      ]}
    >
      {(one) => ({
        mark: <StatusMark instrument={one} asOf={details.isError ? details.dataUpdatedAt : null} />,
        title: <bdi>{one.instrumentProductDescription}</bdi>,
        badge: one.qualifiedSystem && <QualifiedBadge />,
        content: (
          <>
            <InstrumentDetailsBar instrument={one} more={props.more?.(one)} />
            <Columns
              left={
                <>
                  <InstrumentDetailsTabs instrument={one} tab={props.tab} onTab={props.onTab} />
                  {one.events.length <= FEW_EVENTS && <InstrumentFacts instrument={one} />}
                </>
              }
              right={<InstrumentContacts instrument={one} />}
            />
            <InstrumentTimeline instrument={one} />
            {/* Columns of about equal height, also for users who see no usage or run time. */}
            <Columns
              left={
                isMeasured ? (
                  <>
                    <UsageCard instrument={one} />
                    <RuntimeCard instrument={one} />
                  </>
                ) : (
                  <InstrumentPlace instrument={one} />
                )
              }
              right={
                <>
                  {one.events.length > FEW_EVENTS && <InstrumentFacts instrument={one} />}
                  {isMeasured && <InstrumentPlace instrument={one} />}
                  <ConnectedInstruments instrument={one} />
                </>
              }
            />
            <SoftwareCard instrument={one} />
          </>
        ),
      })}
    </DetailsPage>
  )
}

/** Binds the keys of an instrument page. `shortcuts` lists them for users. */
function useInstrumentDetailsKeys(listAddress: Record<string, string>): void {
  const navigate = useNavigate()
  const back = () => void navigate({ to: '/instruments', search: listAddress })
  useShortcuts({ u: back, Escape: back }, { escapeLeaves: true })
}

/** The look of the badges beside the title. */
const besideTitle = { size: 'lg', radius: 6, px: 9, fz: 12, mt: 1 }

/**
 * Shows the instrument's status before its name. `asOf`: time of the last confirmation (epoch milliseconds) if it is
 * outdated.
 */
function StatusMark({ instrument, asOf }: { instrument: Instrument; asOf: number | null }) {
  const { instrumentStatus, orcStatus } = instrument
  const isSeen = isMonitored(orcStatus)
  const isOutdated = asOf !== null || !isSeen
  return (
    <Badge
      {...besideTitle}
      variant="default"
      fw={570}
      c={isOutdated ? 'dimmed' : undefined}
      style={isOutdated ? { borderStyle: 'dashed' } : undefined}
      leftSection={<InstrumentStatusDot status={instrumentStatus} asOf={asOf} orcStatus={orcStatus} />}
    >
      {/* The dot's accessible name says it already. */}
      <span aria-hidden="true">{isSeen ? instrumentStatus : monitoringUnavailable(instrumentStatus)}</span>
      {instrument.unknownAt !== null && ' · '}
      <LostFor {...instrument} asOf={asOf} />
    </Badge>
  )
}

function QualifiedBadge() {
  return (
    <Badge
      {...besideTitle}
      variant="light"
      fw={600}
      title="Qualified system: changes are controlled and documented"
      leftSection={<IconRosetteDiscountCheck size={15} stroke={1.7} aria-hidden="true" />}
    >
      Qualified
    </Badge>
  )
}

/** Shows customer, contract and contacts. */
function InstrumentContacts({ instrument }: { instrument: Instrument }) {
  const { instrumentCountry } = instrument
  return (
    <Card title="Customer">
      <CardColumns>
        <FactList>
          <Fact name="Customer">
            <InstrumentValue category="instrumentCustomer" value={instrument.instrumentCustomer} />
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
      </CardColumns>
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
          <InstrumentValue category="orcStatus" value={orcStatus}>
            <OrcStatusBadge status={orcStatus} unknownAt={unknownAt} />
          </InstrumentValue>
          <MonitoringNote orcStatus={orcStatus} status={instrument.instrumentStatus} reason={instrument.statusReason} />
        </Fact>
        {isLost(orcStatus) && unknownAt !== null && (
          <Fact name="Lost since">
            <ZonedTime at={unknownAt} siteZone={instrumentTimeZone}>
              {formatInstrumentTime(unknownAt)}
            </ZonedTime>{' '}
            <Text span c="dimmed">
              {agePhrase(unknownAt, now)}
            </Text>
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
    <Anchor inherit href={connectedInstrumentsAddress(installedProductIds)}>
      View connected instruments ({installedProductIds.length.toLocaleString('en')})
    </Anchor>
  )
}

const reports = [
  { type: 'fe', name: 'Field Engineer (FE)' },
  { type: 'qs', name: 'Qualification Services (QS)' },
] as const

/** The header of an instrument page: short info, ORC status as a control, and actions. */
function InstrumentDetailsBar({ instrument, more }: { instrument: InstrumentWithEvents; more?: ReactNode }) {
  const client = useQueryClient()
  const { id, instrumentInstalledProductId, instrumentCity, instrumentCountry, connectedAt, eventCount } = instrument
  return (
    <DetailsBar label="Short info">
      <BarActions>
        <OrcStatusMenu
          instrument={instrument}
          onChanged={(maintenances) => putMaintenances(client, id, maintenances)}
        />
      </BarActions>
      <BarFacts>
        <BarFact name="System name">
          <Named>{instrument.instrumentDefinedSystemName}</Named>
        </BarFact>
        <BarFact name="Installed product ID">
          {instrumentInstalledProductId}{' '}
          <CopyButton text={instrumentInstalledProductId} label="Copy installed product ID" />
        </BarFact>
        <BarFact name="Location">
          <InstrumentValue category="instrumentCity" value={instrumentCity}>
            <Named>{cityAndCountry(instrumentCity, instrumentCountry)}</Named>
          </InstrumentValue>
        </BarFact>
        <BarFact name="Customer">
          <InstrumentValue category="instrumentCustomer" value={instrument.instrumentCustomer} />
        </BarFact>
        <BarFact name="Added to ORC">
          {connectedAt === null ? (
            <Dash />
          ) : (
            <ZonedTime at={connectedAt} siteZone={instrument.instrumentTimeZone}>
              {formatInstrumentDate(connectedAt)}
            </ZonedTime>
          )}
        </BarFact>
      </BarFacts>
      <BarActions>
        <LinkButton
          variant="default"
          to="/events"
          search={instrumentEventsSearch(instrument)}
          leftSection={<IconAlertTriangle size={15} stroke={1.7} aria-hidden="true" />}
        >
          Events ({eventCount.toLocaleString('en')})
        </LinkButton>
        <LinkButton
          variant="default"
          to="/logs/$installedProductId"
          params={{ installedProductId: instrumentInstalledProductId }}
          leftSection={<IconListDetails size={15} stroke={1.7} aria-hidden="true" />}
        >
          View Logs
        </LinkButton>
        <ReportMenu instrumentId={id} />
        {more}
      </BarActions>
    </DetailsBar>
  )
}

/** Opens the System Report of an instrument in a new tab, as one of its two types. */
function ReportMenu({ instrumentId }: { instrumentId: string }) {
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconFileText size={15} stroke={1.7} aria-hidden="true" />}
          rightSection={<Chevron to="down" />}
        >
          View report
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Select report type</Menu.Label>
        {reports.map(({ type, name }) => (
          <Menu.Item
            key={type}
            component="a"
            href={`/report/${encodeURIComponent(instrumentId)}?reportType=${type}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Shows the UNICORN software, its computers and their network connections. */
function SoftwareCard({ instrument }: { instrument: Instrument }) {
  const clients = useQuery(linkedClientsQuery(instrument.instrumentInstalledProductId)).data
  return (
    <Card title="Software">
      <CardColumns>
        <FactList>
          <Fact name="UNICORN version">
            <Named>{instrument.unicornVersion}</Named>
          </Fact>
          <Fact name="Service pack">
            <Named>{instrument.unicornServicePack}</Named>
          </Fact>
          <Fact name="Configuration file">
            <Named>{instrument.unicornInstalledConfigFile}</Named>
          </Fact>
          <Fact name="Windows">
            <Named>{instrument.unicornWinOs}</Named>
          </Fact>
        </FactList>
        <FactList>
          <Fact name="PC name">
            <Named>{instrument.unicornPcName}</Named>
          </Fact>
          <Fact name="PC domain">
            <Named>{instrument.unicornEmbeddedPcDomain}</Named>
          </Fact>
          <Fact name="PC type">
            <Named>{instrument.unicornEmbeddedPcType}</Named>
          </Fact>
          {clients && clients.instrumentServerPcName !== null && (
            <Fact name="Instrument server">
              <Named>{clients.instrumentServerPcName}</Named>
            </Fact>
          )}
          {clients && clients.clientPcNames.length > 0 && (
            <Fact name="Client PCs">
              <Named>{clients.clientPcNames.join(', ')}</Named>
            </Fact>
          )}
        </FactList>
        <NetworkList text={instrument.unicornNetworkConfigurations} />
      </CardColumns>
    </Card>
  )
}

/** Lists the network connections of the instrument's computer. Unreadable text is shown as it was sent. */
function NetworkList({ text }: { text: string | null }) {
  const configurations = readNetworkConfigurations(text)
  return (
    <Box component="section" miw={0} fz="sm" aria-label="Network configurations">
      <Group gap={6} h={20} c="dimmed">
        <Title order={3} fz="xs" fw={400}>
          Network configurations
        </Title>
        {configurations.kind === 'unreadable' && (
          <CopyButton text={configurations.text} label="Copy network configurations" />
        )}
      </Group>
      {configurations.kind === 'none' && <Text c="dimmed">Not reported.</Text>}
      {configurations.kind === 'unreadable' && (
        <>
          <Text c="dimmed">The instrument sent an unreadable list:</Text>
          <Code block mah={180} mt={6} tabIndex={0} role="region" aria-label="Network configurations as received">
            {configurations.text}
          </Code>
        </>
      )}
      {configurations.kind === 'list' && (
        <Box style={{ '--bw-row': '30px', '--bw-row-edge': 0 }}>
          <DataTable
            label="Network connections"
            columns={networkColumns}
            rows={configurations.networks.map((network, place) => ({ ...network, id: String(place) }))}
            rowKey={({ id }) => id}
            isShort
          />
        </Box>
      )}
    </Box>
  )
}

const networkColumns: readonly Column<NetworkConfiguration & { id: string }>[] = [
  { key: 'name', label: 'Name', cell: ({ name }) => <Named>{name}</Named> },
  { key: 'ip', label: 'IP address', cell: ({ ip }) => <Named>{ip}</Named> },
  {
    key: 'dhcp',
    label: 'DHCP',
    width: 48,
    cell: ({ dhcpEnabled }) => (dhcpEnabled === null ? <Dash /> : dhcpEnabled ? 'On' : 'Off'),
  },
]
