import type { Instrument } from '@benchwatch/contract/instruments'
import { Box, Code, Group, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Card, CardColumns } from '../../../ui/layout/card.tsx'
import { CopyButton } from '../../../ui/text/copy-button.tsx'
import { Dash, Fact, FactList, Named } from '../../../ui/text/fact.tsx'
import { linkedClientsQuery } from '../../connections/connections.api.ts'
import { readNetworkConfigurations } from './network-configurations.ts'
import '@mantine/core/styles/Code.layer.css'
import '@mantine/core/styles/Table.layer.css'

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
        <Table layout="fixed" fz="sm" mt={3} verticalSpacing={4} horizontalSpacing={0}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>IP address</Table.Th>
              <Table.Th w={64}>DHCP</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {configurations.networks.map(({ name, ip, dhcpEnabled }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list is replaced as a whole.
              <Table.Tr key={place}>
                <Table.Td>
                  <Named>{name}</Named>
                </Table.Td>
                <Table.Td>
                  <Named>{ip}</Named>
                </Table.Td>
                <Table.Td>{dhcpEnabled === null ? <Dash /> : dhcpEnabled ? 'On' : 'Off'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Box>
  )
}
