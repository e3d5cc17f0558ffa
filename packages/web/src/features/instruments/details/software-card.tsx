import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import { Box, Code, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Card, CardColumns } from '../../../ui/layout/card.tsx'
import { DataTable } from '../../../ui/list/data-table.tsx'
import type { Column } from '../../../ui/list/list-columns.ts'
import { CopyButton } from '../../../ui/text/copy-button.tsx'
import { Dash, Fact, FactList, Named } from '../../../ui/text/fact.tsx'
import { linkedClientsQuery } from '../../connections/connections.api.ts'
import { type NetworkConfiguration, readNetworkConfigurations } from './network-configurations.ts'
import '@mantine/core/styles/Code.layer.css'

/** Shows the UNICORN software, its computers and their network connections. */
export function SoftwareCard({ instrument }: { instrument: Instrument }) {
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
